import Glibc
public import StickerModel
import StickerSystem

/// Keeps `run/weather.json` as new as it should be, and asks the provider no more often than it should be.
public struct WeatherKeeper: Sendable {
    /// What became of one look.
    public enum Outcome: Hashable, Sendable {
        /// Nobody was asked: what is known is new enough, or the provider is to be left alone until then.
        case notDue(Timestamp)
        /// The provider answered.
        case answered(WeatherReport.Reading)
        /// The provider did not answer, or nothing of use; the last answer stays.
        /// `isNews` if something else was the trouble before.
        case failed(WeatherReport.Trouble, isNews: Bool)
    }

    /// The pauses after failures that may pass by themselves, as long as the interval is not shorter.
    private static let pauses = Backoff(
        pauses: [300, 600, 1200, 2400, 3600].map { .seconds($0) })
    /// No provider is left alone for longer, whatever it says: its clock may be wrong, or ours.
    private static let pauseSecondsMax = 86_400

    private let configuration: WeatherConfiguration
    private let place: WeatherPlace
    private let key: String
    private let path: String
    private let provider: OpenWeather
    private let fetcher: Fetcher
    private let now: @Sendable () -> Timestamp

    /// Creates a keeper.
    ///
    /// - Parameters:
    ///   - configuration: who is asked, and how often.
    ///   - place: for where.
    ///   - key: of the provider.
    ///   - folder: where `weather.json` is written.
    ///   - fetcher: asks.
    ///   - now: the present.
    public init(
        _ configuration: WeatherConfiguration, at place: WeatherPlace, key: String,
        writingInto folder: String, fetcher: Fetcher,
        now: @escaping @Sendable () -> Timestamp = { .present }
    ) {
        self.configuration = configuration
        self.place = place
        self.key = key
        path = "\(folder)/\(WeatherReport.fileName)"
        self.fetcher = fetcher
        self.now = now
        provider =
            switch configuration.provider {
            case .openweather: OpenWeather(base: configuration.url)
            }
    }

    /// Asks the provider once if it is time, and writes what it said.
    ///
    /// - Parameter isForced: ask in any case.
    /// - Returns: what became of it.
    /// - Throws: `FileError` if the file cannot be written; then nobody is asked.
    public func look(isForced: Bool = false) throws -> Outcome {
        // Two programs that look at once shall not both ask.
        let lock = try FolderLock(SystemCall.parentFolder(of: path))
        defer { withExtendedLifetime(lock) {} }
        let start = now()
        var report =
            Self.earlierReport(path, configuration, place)
            ?? WeatherReport(
                provider: configuration.provider, place: place, nextAt: start)
        let wait = report.nextAt.milliseconds - start.milliseconds
        // What was asked in the future, or waits for too long, was written under another clock.
        let isOfThisClock =
            wait <= Int64(Self.pauseSecondsMax) * 1000
            && report.askedAt.map { $0 <= start.adding(seconds: 60) } ?? true
        if !isForced, wait > 0, isOfThisClock {
            // Whoever could not ask can now, and nothing else is wrong.
            if report.trouble?.failures == 0 {
                report.trouble = nil
                try Self.write(report, path)
            }
            return .notDue(report.nextAt)
        }
        let failures = (report.trouble?.failures ?? 0) + 1
        report.askedAt = start
        // Should this end here, the provider is left alone nevertheless.
        report.nextAt = start.adding(seconds: pause(after: WeatherFault(""), failures))
        try Self.write(report, path)
        switch asked() {
        case .success(let found):
            let reading = WeatherReport.Reading(
                weather: found.weather, measuredAt: min(found.measuredAt ?? start, start),
                askedAt: start)
            (report.reading, report.trouble) = (reading, nil)
            report.nextAt = start.adding(seconds: configuration.intervalMinutes * 60)
            try Self.write(report, path)
            return .answered(reading)
        case .failure(let fault):
            let trouble = WeatherReport.Trouble(
                message: "\(fault)", failures: failures, since: report.trouble?.since ?? start)
            let isNews = report.trouble?.message != trouble.message
            report.trouble = trouble
            report.nextAt = start.adding(seconds: pause(after: fault, failures))
            try Self.write(report, path)
            return .failed(trouble, isNews: isNews)
        }
    }

    /// Writes why nobody can be asked, for those who look there; the last answer stays.
    ///
    /// - Parameters:
    ///   - message: one sentence with a remedy.
    ///   - configuration: says who would be asked.
    ///   - place: for where.
    ///   - folder: where `weather.json` is written.
    ///   - now: the present.
    /// - Returns: whether that is news.
    /// - Throws: `FileError` if the file cannot be written.
    public static func note(
        _ message: String, _ configuration: WeatherConfiguration, at place: WeatherPlace,
        writingInto folder: String, now: Timestamp = .present
    ) throws -> Bool {
        let path = "\(folder)/\(WeatherReport.fileName)"
        let lock = try FolderLock(SystemCall.parentFolder(of: path))
        defer { withExtendedLifetime(lock) {} }
        var report =
            earlierReport(path, configuration, place)
            ?? WeatherReport(provider: configuration.provider, place: place, nextAt: now)
        guard report.trouble?.message != message else { return false }
        report.trouble = .init(
            message: message, failures: report.trouble?.failures ?? 0,
            since: report.trouble?.since ?? now)
        try write(report, path)
        return true
    }

    private func asked() -> Result<ProvidedWeather, WeatherFault> {
        Result { () throws(WeatherFault) in try ask() }
    }

    private func ask() throws(WeatherFault) -> ProvidedWeather {
        let answer: FetchedAnswer
        do throws(FetchFault) {
            answer = try fetcher.get(provider.address(of: place, key: key))
        } catch {
            throw WeatherFault("\(provider.name): \(error)")
        }
        guard answer.status == 200 else {
            throw provider.fault(
                status: answer.status, retryAfterSeconds: answer.retryAfterSeconds)
        }
        return try provider.reading(in: answer.body)
    }

    /// How many seconds nobody is asked after so many failures in a row.
    private func pause(after fault: WeatherFault, _ failures: Int) -> Int {
        let interval = configuration.intervalMinutes * 60
        let seconds =
            switch fault.pause {
            case .growing:
                min(Int(Self.pauses.delay(afterFailures: failures) / .seconds(1)), interval)
            case .interval: interval
            }
        return min(max(seconds, fault.secondsMin), Self.pauseSecondsMax)
    }

    /// What was written before about the same place by the same provider.
    private static func earlierReport(
        _ path: String, _ configuration: WeatherConfiguration, _ place: WeatherPlace
    ) -> WeatherReport? {
        // A file that cannot be read, or is something else, is replaced.
        guard let file = try? Descriptor(path, O_RDONLY | O_NONBLOCK),
            let bytes = try? file.firstBytes(WeatherReport.bytesMax, path: path),
            let report = WeatherReport(json: bytes), report.place == place,
            report.provider == configuration.provider
        else { return nil }
        return report
    }

    private static func write(_ report: WeatherReport, _ path: String) throws {
        try AtomicFile.replaceFleeting(path, with: try report.json())
    }
}

extension Timestamp {
    /// The present, by the system's clock.
    public static var present: Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(
            milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    fileprivate func adding(seconds: Int) -> Timestamp {
        Timestamp(milliseconds: milliseconds + Int64(seconds) * 1000)
    }
}
