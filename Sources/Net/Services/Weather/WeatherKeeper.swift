import Glibc
public import StickerConfiguration
import StickerSystem
public import StickerValues

/// Keeps `run/weather.json` up to date, and asks the provider no more often than allowed.
public struct WeatherKeeper: Sendable {
    /// The result of one look.
    public enum Outcome: Hashable, Sendable {
        /// No request: the weather is new enough, or the provider must not be asked until this time.
        case notDue(Timestamp)
        /// The provider answered.
        case answered(WeatherReport.Reading)
        /// The provider did not answer, or uselessly; the last answer stays. `isNews` if the problem is a different one
        /// than before.
        case failed(WeatherReport.Trouble, isNews: Bool)
    }

    /// The pauses after temporary failures, unless the interval is shorter.
    private static let pauses = Backoff(
        pauses: [300, 600, 1200, 2400, 3600].map { .seconds($0) })
    /// The longest pause, whatever the provider demands: a clock may be wrong.
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
    ///   - configuration: the provider, and how often to ask.
    ///   - place: the place.
    ///   - key: of the provider.
    ///   - folder: the folder of `weather.json`.
    ///   - fetcher: sends requests.
    ///   - now: the current time.
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

    /// Asks the provider once if it is time, and writes the answer.
    ///
    /// - Parameter isForced: ask in any case.
    /// - Returns: the result.
    /// - Throws: `FileError` if the file cannot be written; then no request is made.
    public func look(isForced: Bool = false) throws -> Outcome {
        // Two programs that look at once must not both ask.
        let lock = try FolderLock(SystemCall.parentFolder(of: path))
        defer { withExtendedLifetime(lock) {} }
        let start = now()
        var report =
            Self.earlierReport(path, configuration, place)
            ?? WeatherReport(
                provider: configuration.provider, place: place, nextAt: start)
        let wait = report.nextAt.milliseconds - start.milliseconds
        // A request in the future, or one with too long a pause, was written under another clock.
        let isOfThisClock =
            wait <= Int64(Self.pauseSecondsMax) * 1000
            && report.askedAt.map { $0 <= start.adding(seconds: 60) } ?? true
        if !isForced, wait > 0, isOfThisClock {
            // The program can ask again, and there is no other fault.
            if report.trouble?.failures == 0 {
                report.trouble = nil
                try Self.write(report, path)
            }
            return .notDue(report.nextAt)
        }
        let failures = (report.trouble?.failures ?? 0) + 1
        report.askedAt = start
        // If the program ends here, the pause is kept nevertheless.
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

    /// Writes why the provider cannot be asked, for readers of the file; the last answer stays.
    ///
    /// - Parameters:
    ///   - message: one sentence with a remedy.
    ///   - configuration: names the provider.
    ///   - place: the place.
    ///   - folder: the folder of `weather.json`.
    ///   - now: the current time.
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

    /// The pause in seconds after this many failures in a row.
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

    /// The earlier report about the same place by the same provider.
    private static func earlierReport(
        _ path: String, _ configuration: WeatherConfiguration, _ place: WeatherPlace
    ) -> WeatherReport? {
        // An unreadable or unrelated file is replaced.
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
    /// The current time.
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
