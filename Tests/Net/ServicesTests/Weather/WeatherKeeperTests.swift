import Dispatch
import FoundationEssentials
import Glibc
import StickerConfiguration
import StickerTestSupport
import StickerValues
import Synchronization
import Testing

@testable import StickerServices

/// The provider is asked as often as it should be, whatever it answers, and the last answer stays.
struct WeatherKeeperTests {
    private static let key = "SecretKey123"
    private static let fine = FakeUpstream.answer(
        200, #"{"main":{"temp":281.4},"weather":[{"id":500}],"dt":1700000000}"#)

    private let folder: TemporaryFolder
    private let clock = TurnedTime()

    init() throws { folder = try TemporaryFolder() }

    /// A clock that tests turn by hand.
    private final class TurnedTime: Sendable {
        private let milliseconds = Atomic<Int64>(1_700_000_000_000)

        var now: Timestamp { Timestamp(milliseconds: milliseconds.load(ordering: .relaxed)) }

        func advance(seconds: Int) {
            milliseconds.add(Int64(seconds) * 1000, ordering: .relaxed)
        }
    }

    private func keeper(
        _ upstream: FakeUpstream, latitude: Double = 52.52, minutes: Int = 60, seconds: Int = 300
    ) -> WeatherKeeper {
        var configuration = WeatherConfiguration()
        (configuration.latitude, configuration.longitude) = (latitude, 13.4)
        configuration.url = "http://127.0.0.1:\(upstream.port)/weather"
        configuration.intervalMinutes = minutes
        var fetcher = Fetcher(agent: "test")
        // A busy machine may need its time for an answer.
        fetcher.seconds = seconds
        return WeatherKeeper(
            configuration, at: WeatherPlace(latitude: latitude, longitude: 13.4), key: Self.key,
            writingInto: folder.path, fetcher: fetcher, now: { [clock] in clock.now })
    }

    private func report() throws -> WeatherReport {
        let data = try Data(contentsOf: URL(filePath: folder.path("weather.json")))
        return try #require(WeatherReport(json: [UInt8](data)))
    }

    /// Looks every five minutes, as the timer does.
    private func look(_ keeper: WeatherKeeper, hours: Int) throws {
        for _ in 0..<hours * 12 {
            _ = try keeper.look()
            clock.advance(seconds: 300)
        }
    }

    @Test func providerIsAskedOnceAnHour() throws {
        let upstream = try FakeUpstream { _ in Self.fine }
        let start = clock.now

        try look(keeper(upstream), hours: 24)

        #expect(upstream.requests.count == 24)
        let line = "GET /weather?lat=52.52&lon=13.40&appid=\(Self.key) HTTP/1.1"
        #expect(Set(upstream.requests) == [line])
        let reading = try report().reading
        #expect(reading?.weather == Weather(kelvin: 281.4, condition: .rain))
        #expect(reading?.measuredAt.milliseconds == 1_700_000_000_000)
        #expect(reading?.askedAt.milliseconds == start.milliseconds + 23 * 3_600_000)
        #expect(try report().trouble == nil)
    }

    /// Faults, how many requests they allow in six hours, and their messages.
    private static let faults: [(name: String, act: FakeUpstream.Act, most: Int, said: String)] = [
        ("401", FakeUpstream.answer(401, #"{"cod":401}"#), 6, "does not accept the key (401)"),
        ("403", FakeUpstream.answer(403), 6, "does not accept the key (403)"),
        ("404", FakeUpstream.answer(404, #"{"cod":"404"}"#), 6, "no weather for the place"),
        ("429", FakeUpstream.answer(429), 6, "asked too often (429)"),
        (
            "429 for long", FakeUpstream.answer(429, headers: ["Retry-After: 10800"]), 2,
            "asked too often (429)"
        ),
        (
            "429 for ever", FakeUpstream.answer(429, headers: ["Retry-After: 99999999"]), 1,
            "asked too often (429)"
        ),
        (
            "429 for a moment", FakeUpstream.answer(429, headers: ["Retry-After: 1"]), 6,
            "asked too often (429)"
        ),
        ("500", FakeUpstream.answer(500), 9, "OpenWeather answers 500"),
        (
            "503 for long", FakeUpstream.answer(503, headers: ["Retry-After: 7200"]), 3,
            "OpenWeather answers 503"
        ),
        (
            "503 for a moment", FakeUpstream.answer(503, headers: ["Retry-After: 5"]), 9,
            "OpenWeather answers 503"
        ),
        (
            "redirect", FakeUpstream.answer(302, headers: ["Location: http://127.0.0.1:1/"]), 6,
            "302"
        ),
        ("cut", .send("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{\"main\""), 9, "cut off"),
        ("no head", .send("HTTP/1."), 9, "OpenWeather: "),
        ("nothing", .send(""), 9, "cut off"),
        ("no HTTP", .send("220 mail ready\r\n"), 9, "OpenWeather: "),
        (
            "huge", .send("HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "x", count: 70_000)), 9,
            "more than 65,536 B"
        ),
        ("no JSON", FakeUpstream.answer(200, "<html>"), 9, "not a JSON object"),
        ("list", FakeUpstream.answer(200, "[281.4]"), 9, "not a JSON object"),
        ("text", FakeUpstream.answer(200, #"{"main":{"temp":"281.4"}}"#), 9, "main.temp"),
        ("celsius", FakeUpstream.answer(200, #"{"main":{"temp":8.2}}"#), 9, "8.2 K"),
        (
            "no sky", FakeUpstream.answer(200, #"{"main":{"temp":281.4},"weather":{}}"#), 9,
            "weather[0]"
        ),
        ("no content", .send("HTTP/1.1 204 No Content\r\n\r\n"), 9, "answers 204"),
    ]

    @Test(arguments: faults.indices) func faultIsNotAskedAgainTooSoon(_ index: Int) throws {
        let fault = Self.faults[index]
        let hasFailed = Atomic(false)
        let upstream = try FakeUpstream { _ in
            hasFailed.load(ordering: .relaxed) ? fault.act : Self.fine
        }
        let keeper = keeper(upstream)
        try look(keeper, hours: 1)
        let good = try report().reading
        hasFailed.store(true, ordering: .relaxed)

        try look(keeper, hours: 6)

        let asked = upstream.requests.count - 1
        #expect(1...fault.most ~= asked, "\(fault.name) was asked \(asked) times")
        let report = try report()
        #expect(good != nil && report.reading == good, "\(fault.name)")
        let trouble = try #require(report.trouble)
        #expect(trouble.message.contains(fault.said), "\(fault.name): \(trouble.message)")
        #expect(trouble.failures == asked)
        #expect(trouble.since.milliseconds == 1_700_000_000_000 + 3_600_000)
        let text = String(decoding: try report.json(), as: UTF8.self)
        #expect(!text.contains(Self.key) && !text.contains("127.0.0.1"))

        hasFailed.store(false, ordering: .relaxed)
        clock.advance(seconds: 86_400)
        _ = try keeper.look()
        #expect(try self.report().trouble == nil)
    }

    /// Two that take their time, and one that never ends.
    @Test(arguments: [
        FakeUpstream.Act.silence,
        .drip("HTTP/1.1 200 OK\r\nX: " + String(repeating: "x", count: 99)),
        .flood("HTTP/1.1 100 Continue\r\n\r\n"),
    ]) func nobodyIsWaitedForForLong(_ act: FakeUpstream.Act) throws {
        let upstream = try FakeUpstream { _ in act }
        let keeper = keeper(upstream, seconds: 1)
        let start = ContinuousClock.now

        let outcome = try keeper.look()

        guard case .failed(let trouble, _) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(trouble.message.hasPrefix("OpenWeather: "))
        // The fetcher ends after a second; the rest is for a busy machine.
        #expect(ContinuousClock.now - start < .seconds(30))
        #expect(try report().reading == nil)
    }

    @Test func serverThatIsNotThereIsTold() throws {
        let upstream = try FakeUpstream { _ in Self.fine }
        upstream.stop()
        _ = try keeper(upstream).look()

        #expect(try report().trouble?.message == "OpenWeather: it cannot be reached")
    }

    @Test func anotherPlaceIsAskedForAtOnceAndForgetsTheFirst() throws {
        let fails = Atomic(false)
        let upstream = try FakeUpstream { _ in
            fails.load(ordering: .relaxed) ? FakeUpstream.answer(500) : Self.fine
        }
        _ = try keeper(upstream).look()
        fails.store(true, ordering: .relaxed)

        _ = try keeper(upstream, latitude: 48.1).look()

        #expect(upstream.requests.count == 2)
        #expect(try report().reading == nil && report().latitude == 48.1)
    }

    /// A file of another clock, of another program, or a pipe.
    @Test func fileOfNoUseDoesNotStopAnybody() throws {
        let upstream = try FakeUpstream { _ in Self.fine }
        let keeper = keeper(upstream)
        _ = try keeper.look()
        clock.advance(seconds: -3600)
        guard case .answered = try keeper.look() else {
            Issue.record("it waits for a time of another clock")
            return
        }
        try folder.write(Array("{}".utf8), to: "weather.json")
        guard case .answered = try keeper.look() else {
            Issue.record("it takes the file of another program")
            return
        }
    }

    @Test func whoIsToldToAskDoes() throws {
        let upstream = try FakeUpstream { _ in Self.fine }
        let keeper = keeper(upstream)
        _ = try keeper.look()
        guard case .notDue(let next) = try keeper.look() else {
            Issue.record("it asks too soon")
            return
        }

        _ = try keeper.look(isForced: true)

        #expect(next.milliseconds == clock.now.milliseconds + 3_600_000)
        #expect(upstream.requests.count == 2)
    }

    /// A process that dies during a request has noted the request before.
    @Test func questionIsNotedBeforeItIsAsked() throws {
        let seen = Mutex<WeatherReport?>(nil)
        let path = folder.path("weather.json")
        let upstream = try FakeUpstream { _ in
            let data = (try? Data(contentsOf: URL(filePath: path))) ?? Data()
            seen.withLock { $0 = WeatherReport(json: [UInt8](data)) }
            return Self.fine
        }
        _ = try keeper(upstream).look()

        let noted = try #require(seen.withLock { $0 })
        #expect(noted.nextAt.milliseconds == clock.now.milliseconds + 300_000)
    }

    @Test func twoAtOnceAskOnce() throws {
        let upstream = try FakeUpstream { _ in
            usleep(100_000)
            return Self.fine
        }
        let keeper = keeper(upstream)
        DispatchQueue.concurrentPerform(iterations: 4) { _ in _ = try? keeper.look() }

        #expect(upstream.requests.count == 1)
    }

    @Test func whyNobodyCanBeAskedIsNotedOnceAndTheAnswerStays() throws {
        let upstream = try FakeUpstream { _ in Self.fine }
        let keeper = keeper(upstream)
        _ = try keeper.look()
        var configuration = WeatherConfiguration()
        (configuration.latitude, configuration.longitude) = (52.52, 13.4)
        func note(_ message: String) throws -> Bool {
            try WeatherKeeper.note(
                message, configuration, at: WeatherPlace(latitude: 52.52, longitude: 13.4),
                writingInto: folder.path, now: clock.now)
        }

        #expect(try note("no key") && !note("no key"))

        #expect(try report().trouble?.message == "no key" && report().trouble?.failures == 0)
        #expect(try report().reading?.weather.kelvin == 281.4)
        // It is put right before it is time to ask.
        _ = try keeper.look()
        #expect(try report().trouble == nil && upstream.requests.count == 1)
    }

    @Test func nobodyIsAskedIfTheAnswerCannotBeWritten() throws {
        let upstream = try FakeUpstream { _ in Self.fine }
        try folder.makeFolder("weather.json")

        #expect(throws: (any Error).self) { try keeper(upstream).look() }
        #expect(upstream.requests.isEmpty)
    }

    @Test func shorterIntervalBoundsThePausesAfterFailures() throws {
        let upstream = try FakeUpstream { _ in FakeUpstream.answer(500) }

        try look(keeper(upstream, minutes: 10), hours: 2)

        // At once, after 5 minutes, and then every 10.
        #expect(upstream.requests.count == 13)
    }
}
