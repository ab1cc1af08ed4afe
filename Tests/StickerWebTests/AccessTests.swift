import Foundation
import Logging
import StickerHTTP
import StickerModel
import StickerTestSupport
import Testing

@testable import StickerWeb

/// Who may ask, and how often.
struct AccessTests {
    @Test func rateIsOfEachClientAndFillsAgain() throws {
        let rate = RequestRate(perSecond: 2)
        let start = ContinuousClock.now
        for _ in 1...4 { try rate.count("ann", now: start) }
        #expect(throws: WebError.self) { try rate.count("ann", now: start) }
        try rate.count("bob", now: start)
        try rate.count("ann", now: start + .milliseconds(500))
        #expect(throws: WebError.self) { try rate.count("ann", now: start + .milliseconds(600)) }
        for _ in 1...4 { try rate.count("ann", now: start + .seconds(60)) }
        #expect(throws: WebError.self) { try rate.count("ann", now: start + .seconds(60)) }
    }

    @Test func tooManyRequestsAreToldWhenToComeBack() throws {
        let access = WebAccess(keys: AccessKeys([]), rate: 1)
        let request = WebRequest("GET", "/api/stickers/trending", client: "10.0.0.1")
        try access.check(request)
        try access.check(request)
        let error = #expect(throws: WebError.self) { try access.check(request) }
        #expect(error?.status == 429)
        #expect(error?.headers.contains { $0.name == "Retry-After" && $0.value == "1" } == true)
        try access.check(WebRequest("GET", "/", client: "10.0.0.2"))
    }

    @Test func whoeverTriesKeysIsOneClientWhateverTheyTry() throws {
        let access = WebAccess(keys: AccessKeys(["right"]), rate: 1)
        let now = ContinuousClock.now
        func ask(_ key: String, _ client: String = "10.0.0.1") -> Int {
            let target = "/api/stickers/trending?api_key=\(key)"
            do {
                try access.check(WebRequest("GET", target, client: client), now: now)
                return 200
            } catch { return (error as? WebError)?.status ?? 0 }
        }
        #expect(["a", "b", "c", "d"].map { ask($0) } == [401, 401, 429, 429])
        #expect(ask("right") == 200 && ask("a", "10.0.0.2") == 401)
        #expect(ask("right", "10.0.0.2") == 200 && ask("right", "10.0.0.3") == 429)
    }

    @Test func keysAreThoseThatStandInTheFileNow() throws {
        let folder = try TemporaryFolder()
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        var settings = WebConfiguration()
        settings.keysFile = folder.path("keys")
        let keys = AccessKeys(["one"])
        let access = WebAccess(keys: keys)
        let request = WebRequest("GET", "/api/stickers/trending?api_key=two")
        #expect(throws: WebError.self) { try access.check(request) }

        try folder.write(Array("two".utf8), to: "keys")
        keys.reload(settings, credentials: nil, logger)
        try access.check(request)
        try folder.write(Array("two three".utf8), to: "keys")
        keys.reload(settings, credentials: nil, logger)
        try access.check(request)
    }

    @Test func serverOnTheSameMachineSaysForWhomItAsks() {
        let header: @Sendable (String) -> String? = {
            $0 == "x-forwarded-for" ? "8.8.8.8, 10.0.0.7" : nil
        }
        #expect(WebRequest("GET", "/", client: "127.0.0.1", header: header).client == "10.0.0.7")
        #expect(WebRequest("GET", "/", client: "9.9.9.9", header: header).client == "9.9.9.9")
    }

    @Test(arguments: [
        "2026-11-23T22:17:25Z", "2024-02-29T23:59:59Z", "2000-03-01T00:00:00Z",
        "1970-01-01T00:00:00Z", "2100-02-28T12:00:00Z", "2099-12-31T23:59:59Z",
    ])
    func secondsAreThoseOfTheDate(date: String) {
        #expect(OfferOrder.seconds(of: date) == Int64(date: date).map { $0 / 1000 })
    }

    @Test(arguments: ["", "yesterday", "2026-13-01T00:00:00Z", "20261123T221725Z"])
    func whatIsNoDateHasNoSeconds(date: String) {
        #expect(OfferOrder.seconds(of: date) == nil)
    }
}
