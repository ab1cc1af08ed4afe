import Foundation
import Logging
import StickerConfiguration
import StickerHTTP
import StickerTestSupport
import StickerValues
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

    private struct Asking: Sendable {
        let peer: String
        let forwarded: String
        let proxies: [String]
        let name: String
        let isCrowd: Bool

        init(
            _ peer: String, _ forwarded: String, _ proxies: [String], _ name: String,
            _ isCrowd: Bool
        ) {
            (self.peer, self.forwarded, self.proxies) = (peer, forwarded, proxies)
            (self.name, self.isCrowd) = (name, isCrowd)
        }
    }

    /// The peer, the field, the proxies that are named, who asks, and whether that may be many.
    private static let askings: [Asking] = [
        Asking("127.0.0.1", "8.8.8.8, 10.0.0.7", ["127.0.0.1"], "10.0.0.7", false),
        Asking("::ffff:127.0.0.1", "10.0.0.7", ["127.0.0.0/8"], "10.0.0.7", false),
        Asking("10.1.0.1", "8.8.8.8, 10.1.0.2", ["10.1.0.0/16"], "8.8.8.8", false),
        Asking("10.1.0.1", "1.1.1.1, [2001:db8::1]:443", ["10.1.0.1"], "2001:db8::/64", false),
        Asking("10.1.0.1", "8.8.8.8:99", ["10.1.0.1"], "8.8.8.8", false),
        Asking("10.1.0.1", "8.8.8.8, nobody", ["10.1.0.1"], "clients of 10.1.0.1", true),
        Asking("10.1.0.1", "10.1.0.1", ["10.1.0.1"], "clients of 10.1.0.1", true),
        Asking("127.0.0.1", "8.8.8.8", [], "clients of 127.0.0.1", true),
        Asking("::1", "8.8.8.8", [], "clients of ::1", true),
        Asking("127.0.0.1", "8.8.8.8", ["10.1.0.1"], "127.0.0.1", false),
        Asking("9.9.9.9", "8.8.8.8", [], "9.9.9.9", false),
        Asking("9.9.9.9", "8.8.8.8", ["127.0.0.1"], "9.9.9.9", false),
        Asking("2001:db8:1:2:3:4:5:6", "", [], "2001:db8:1:2::/64", false),
        Asking("127.0.0.1", "", [], "127.0.0.1", false),
        Asking("10.1.0.1", "", ["10.1.0.1"], "clients of 10.1.0.1", true),
        Asking("127.0.0.1", "", ["127.0.0.1"], "clients of 127.0.0.1", true),
        Asking("10.1.0.2", "", ["10.1.0.1"], "10.1.0.2", false),
        Asking("fe80::1", "", [], "fe80::1", false),
    ]

    @Test(arguments: askings)
    private func onlyNamedProxiesSayForWhomTheyAsk(asking: Asking) {
        let forwarded = asking.forwarded.isEmpty ? nil : asking.forwarded
        let request = WebRequest(
            "GET", "/", client: asking.peer,
            proxies: asking.proxies.compactMap { AddressRange($0) }
        ) { $0 == "x-forwarded-for" ? forwarded : nil }
        #expect(request.client == asking.name && request.caller.isCrowd == asking.isCrowd)
    }

    /// All who send the field from this machine share one bound, whatever is in it.
    @Test func clientsOfAnUnnamedProxyShareItsBounds() throws {
        let access = WebAccess(keys: AccessKeys([]), rate: 1)
        let now = ContinuousClock.now
        func ask(_ client: Int) throws {
            let request = WebRequest("GET", "/api/categories", client: "127.0.0.1") {
                $0 == "x-forwarded-for" ? "10.0.0.\(client)" : nil
            }
            try access.check(request, now: now)
        }
        for client in 0..<32 { try ask(client) }
        #expect(throws: WebError.self) { try ask(32) }
        try access.check(WebRequest("GET", "/", client: "127.0.0.1"), now: now)

        let feed = ChangeFeed()
        let streams = (0..<1024).map { _ in feed.listen(client: "clients of ::1", share: 16) }
        #expect(streams.allSatisfy { $0 != nil })
        #expect(feed.listen(client: "clients of ::1", share: 16) == nil)
        #expect(feed.listen(client: "10.0.0.1") != nil)
    }

    @Test func guessesComeBackOneASecond() {
        let (guesses, start) = (Guesses(), ContinuousClock.now)
        let caller = WebRequest("GET", "/", client: "192.0.2.1").caller
        for _ in 0..<Guesses.allowed {
            #expect(guesses.delay(of: caller, now: start) == .zero)
            #expect(guesses.add(caller, now: start))
        }
        #expect(guesses.delay(of: caller, now: start + .milliseconds(900)) == Guesses.delay)
        #expect(!guesses.add(caller, now: start))
        #expect(guesses.delay(of: caller, now: start + .seconds(1)) == .zero)
        #expect(guesses.add(caller, now: start + .seconds(1)))
        #expect(guesses.delay(of: caller, now: start + .seconds(1)) == Guesses.delay)
    }

    @Test func tokensOfUsersAreGuessedSlowly() throws {
        let tokens = UploadTokens([:])
        let request = WebRequest("GET", "/api/personal", client: "192.0.2.1") {
            $0 == "authorization" ? "Bearer wrong" : nil
        }
        #expect(tokens.delay(of: request) == .zero)
        for _ in 0..<10 * Guesses.allowed where tokens.delay(of: request) == .zero {
            #expect(throws: WebError.self) { try tokens.user(request) }
        }
        #expect(tokens.delay(of: request) == Guesses.delay)
        #expect(tokens.delay(of: WebRequest("GET", "/", client: "192.0.2.1")) == .zero)
    }

    // MARK: Names

    @Test func serverAnswersToItsNamesAndToAddresses() {
        var settings = WebConfiguration()
        settings.publicURL = "https://Stickers.example.org:444/a/"
        settings.hosts = ["pi.local"]
        let names = settings.hostNames
        for host in [
            "stickers.example.org", "STICKERS.EXAMPLE.ORG.:443", "pi.local:8512", "localhost:1",
            "127.0.0.1:8512", "192.168.0.7", "[::1]:8512", "[2001:db8::1]", "pi.local:65535",
        ] {
            #expect(names.answer(to: host, path: "metrics"), "\(host)")
        }
        for host in [
            "evil.example", "stickers.example.org.evil.example", "", "a b", "pi.local:x",
            "127.0.0.1.evil.example", "user@pi.local", "[pi.local]", "pi.local:1:2",
            "pi.local:65536",
        ] {
            #expect(!names.answer(to: host, path: "metrics"), "\(host)")
            #expect(names.answer(to: host, path: "healthz"), "\(host)")
        }
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
