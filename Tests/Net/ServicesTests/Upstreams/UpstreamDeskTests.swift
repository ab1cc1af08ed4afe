import Dispatch
import StickerConfiguration
import StickerTestSupport
import StickerValues
import Synchronization
import Testing

@testable import StickerServices

/// Upstreams are asked as seldom as can be, and what they answered last stays, whatever they do.
struct UpstreamDeskTests {
    private static let two = FakeUpstream.answer(
        200, GiphyAnswer.page(["a", "b"].map { GiphyAnswer.sticker($0) }, total: 2))

    /// An upstream that answers this until it is told otherwise.
    private final class Changing: Sendable {
        private let act: Mutex<FakeUpstream.Act>
        init(_ act: FakeUpstream.Act) { self.act = Mutex(act) }
        var now: FakeUpstream.Act {
            get { act.withLock { $0 } }
            set { act.withLock { $0 = newValue } }
        }
    }

    @Test func answerIsGoodForMinutes() async throws {
        let upstream = try FakeUpstream { _ in Self.two }
        let desk = TestDesk(.giphy(port: upstream.port))

        for _ in 0..<3 { #expect(await desk.ask("cat").ids == ["a", "b"]) }
        #expect(await desk.ask(" cat ").ids == ["a", "b"])
        #expect(upstream.requests.count == 1)
        desk.clock.advance(seconds: 300)
        #expect(await desk.ask("cat").ids == ["a", "b"])
        #expect(upstream.requests.count == 2)
        #expect(
            upstream.requests[0] == "GET /v1/stickers/search?api_key=\(TestDesk.key)&q=cat&lang=en"
                + "&limit=50&offset=0&rating=g HTTP/1.1")
    }

    @Test func equalQuestionsAreAskedOnce() async throws {
        let gate = DispatchSemaphore(value: 0)
        let upstream = try FakeUpstream { _ in
            gate.wait()
            return Self.two
        }
        let desk = TestDesk(.giphy(port: upstream.port))

        await withTaskGroup(of: [String]?.self) { group in
            for _ in 0..<20 { group.addTask { await desk.ask("cat").ids } }
            #expect(await waitUntil { !upstream.requests.isEmpty })
            gate.signal()
            for await ids in group { #expect(ids == ["a", "b"]) }
        }
        #expect(upstream.requests.count == 1)
    }

    @Test func whoDoesNotWaitGetsTheAnswerLater() async throws {
        let gate = DispatchSemaphore(value: 0)
        let upstream = try FakeUpstream { _ in
            gate.wait()
            return Self.two
        }
        let desk = TestDesk(.giphy(port: upstream.port))

        let found = await desk.ask("cat", patience: .zero)
        #expect(found.page == nil && found.lack == .slow)
        gate.signal()
        #expect(await desk.told.wait { $0.count == 1 } != nil)
        #expect(await desk.ask("cat", patience: .zero).ids == ["a", "b"])
        #expect(upstream.requests.count == 1)
    }

    @Test func whoMayHaveAnOldAnswerWaitsLessForANewOne() async throws {
        let state = Changing(Self.two)
        let upstream = try FakeUpstream { _ in state.now }
        let desk = TestDesk(.giphy(port: upstream.port))
        #expect(await desk.ask("cat").ids == ["a", "b"])

        state.now = .silence
        desk.clock.advance(seconds: 400)
        let found = await desk.ask("cat", forNews: .zero)

        #expect(found.ids == ["a", "b"] && found.lack == .slow)
        #expect(found.page?.age == .seconds(400))
    }

    @Test func slowUpstreamHoldsTwoThreadsAndNobodyElse() async throws {
        let upstream = try FakeUpstream { _ in .silence }
        let desk = TestDesk(.giphy(port: upstream.port))

        for word in ["a", "b"] { #expect(await desk.ask(word, patience: .zero).lack == .slow) }
        #expect(await desk.ask("c", patience: .seconds(300)).lack == .busy)
    }

    private static let faults: [(name: String, act: FakeUpstream.Act, kind: UpstreamFault.Kind)] = [
        ("301", FakeUpstream.answer(301, headers: ["Location: http://127.0.0.1:1/"]), .redirect),
        ("302", FakeUpstream.answer(302, headers: ["Location: https://evil.example/"]), .redirect),
        ("401", FakeUpstream.answer(401, #"{"meta":{"status":401}}"#), .key),
        ("403", FakeUpstream.answer(403), .key), ("404", FakeUpstream.answer(404), .status),
        ("429", FakeUpstream.answer(429), .quota), ("500", FakeUpstream.answer(500), .status),
        ("503", FakeUpstream.answer(503, "<html>"), .status),
        ("empty", FakeUpstream.answer(200), .unreadable),
        ("html", FakeUpstream.answer(200, "<html>"), .unreadable),
        ("error in 200", FakeUpstream.answer(200, #"{"meta":{"status":"429"},"data":[]}"#), .quota),
        ("cut", .send("HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n{\"data\":["), .unanswered),
        ("no http", .send("what?"), .unanswered), ("hangs up", .send(""), .unanswered),
        ("silence", .silence, .unanswered), ("drip", .drip("HTTP/1.1 200 OK\r\n"), .unanswered),
        ("flood", .flood(String(repeating: "x", count: 60_000)), .unanswered),
        (
            "large",
            FakeUpstream.answer(200, "[" + String(repeating: "0,", count: 200_000) + "0]"),
            .unanswered
        ),
        ("deep", FakeUpstream.answer(200, String(repeating: "[", count: 90_000)), .unreadable),
    ]

    @Test(arguments: faults.indices) func lastGoodAnswerStays(_ index: Int) async throws {
        let (name, act, kind) = Self.faults[index]
        let state = Changing(Self.two)
        let upstream = try FakeUpstream { _ in state.now }
        // Only those that say nothing take the whole time.
        let seconds = ["silence", "drip"].contains(name) ? 1 : 300
        let desk = TestDesk(.giphy(port: upstream.port), seconds: seconds)
        #expect(await desk.askUntilAnswered("cat").ids == ["a", "b"])
        let count = upstream.requests.count

        state.now = act
        desk.clock.advance(seconds: 400)
        let old = await desk.ask("cat")
        #expect(old.ids == ["a", "b"] && old.fault?.kind == kind, "\(name): \(old)")
        #expect(old.page?.age == .seconds(400))
        let other = await desk.ask("dog")
        #expect(other.page == nil && other.fault?.kind == kind, "\(name)")
        // It is left alone meanwhile.
        #expect(upstream.requests.count == count + 1)

        state.now = Self.two
        desk.clock.advance(seconds: 900)
        #expect(await desk.askUntilAnswered("cat").ids == ["a", "b"])
        #expect(desk.desk.trouble == nil)
        #expect(await desk.told.wait { $0.last?.hasPrefix("answered") == true } != nil)
        #expect(!"\(old) \(other) \(desk.told.value)".contains(TestDesk.key))
    }

    @Test func nobodyThereIsAFault() async throws {
        let upstream = try FakeUpstream { _ in Self.two }
        let port = upstream.port
        upstream.stop()
        let found = await TestDesk(.giphy(port: port)).ask()
        #expect(found.page == nil && found.fault?.kind == .unanswered)
    }

    @Test func pausesGrowAndKeepToWhatIsWanted() async throws {
        let state = Changing(FakeUpstream.answer(500))
        let upstream = try FakeUpstream { _ in state.now }
        let desk = TestDesk(.partner(port: upstream.port), key: nil)

        for seconds in [5, 15, 60, 300, 900, 900] {
            let count = upstream.requests.count
            #expect(await desk.ask().fault != nil)
            #expect(upstream.requests.count == count + 1, "\(seconds)")
            desk.clock.advance(seconds: seconds - 1)
            #expect(await desk.ask().fault != nil)
            #expect(upstream.requests.count == count + 1, "\(seconds)")
            desk.clock.advance(seconds: 1)
        }
        state.now = FakeUpstream.answer(429, headers: ["Retry-After: 5000"])
        _ = await desk.ask()
        let count = upstream.requests.count
        desk.clock.advance(seconds: 4999)
        _ = await desk.ask()
        #expect(upstream.requests.count == count)
        desk.clock.advance(seconds: 1)
        state.now = FakeUpstream.answer(503, headers: ["Retry-After: 999999999"])
        _ = await desk.ask()
        desk.clock.advance(seconds: 86_400)
        _ = await desk.ask()
        #expect(upstream.requests.count == count + 2)
    }

    @Test func questionThatIsNotTakenHurtsNoOther() async throws {
        let upstream = try FakeUpstream { line in
            line.contains("q=bad") ? FakeUpstream.answer(414) : Self.two
        }
        let desk = TestDesk(.giphy(port: upstream.port))

        #expect(await desk.ask("bad").fault?.kind == .question)
        #expect(await desk.ask("good").ids == ["a", "b"])
        #expect(await desk.ask("bad").fault?.kind == .question)
        #expect(upstream.requests.count == 2 && desk.desk.trouble == nil)
        desk.clock.advance(seconds: 300)
        _ = await desk.ask("bad")
        #expect(upstream.requests.count == 3)
    }

    @Test func stickersThatCannotBePassedOnHurtNoOtherQuestion() async throws {
        let bad = FakeUpstream.answer(200, GiphyAnswer.page([#"{"id":"a"}"#]))
        let upstream = try FakeUpstream { $0.contains("q=bad") ? bad : Self.two }
        let desk = TestDesk(.giphy(port: upstream.port))

        #expect(await desk.ask("good").ids == ["a", "b"])
        #expect(await desk.ask("bad").fault?.kind == .stickers)
        #expect(await desk.ask("other").ids == ["a", "b"])
        #expect(await desk.ask().ids == ["a", "b"])
        #expect(await desk.ask("bad").fault?.kind == .stickers)
        #expect(upstream.requests.count == 4 && desk.desk.trouble == nil)
        desk.clock.advance(seconds: 300)
        _ = await desk.ask("bad")
        #expect(upstream.requests.count == 5)
    }

    @Test func operatorsLearnThatNothingCanBePassedOn() async throws {
        let state = Changing(FakeUpstream.answer(200, GiphyAnswer.page([#"{"id":"a"}"#])))
        let upstream = try FakeUpstream { _ in state.now }
        let desk = TestDesk(.giphy(port: upstream.port))

        // Nothing has ever been of use.
        _ = await desk.ask("a")
        #expect(desk.desk.trouble?.contains("can be passed on") == true)
        // However many there are.
        state.now = FakeUpstream.answer(200, GiphyAnswer.page([#"{"id":"a"}"#, #"{"id":"b"}"#]))
        #expect(await desk.ask("b").fault?.kind == .stickers)
        #expect(upstream.requests.count == 2)
        #expect(await desk.told.wait { $0.count == 2 } != nil)
        #expect(desk.told.value.map { $0.contains("isNews: true") } == [true, false])
        state.now = Self.two
        #expect(await desk.ask("c").ids == ["a", "b"] && desk.desk.trouble == nil)
    }

    @Test func hourHasNoMoreCallsThanItMay() async throws {
        let upstream = try FakeUpstream { _ in Self.two }
        var configuration = UpstreamConfiguration.giphy(port: upstream.port)
        configuration.callsPerHour = 3
        let desk = TestDesk(configuration)

        for number in 0..<5 {
            desk.clock.advance(seconds: 600)
            let found = await desk.ask("w\(number)")
            #expect((found.page != nil) == (number < 3), "\(number)")
            if number >= 3, case .quota = found.lack {} else { #expect(number < 3) }
        }
        // Known stickers are still shown, however old.
        #expect(await desk.ask("w0").ids == ["a", "b"])
        #expect(upstream.requests.count == 3)
        desk.clock.advance(seconds: 1200)
        #expect(await desk.ask("w5").ids == ["a", "b"])
        #expect(upstream.requests.count == 4)
    }

    @Test func pagesAreTurnedWithoutGapsAndTwins() async throws {
        let upstream = try FakeUpstream { FakeUpstream.answer(200, GiphyAnswer.library(120, $0)) }
        let desk = TestDesk(.giphy(port: upstream.port))

        var ids: [String] = []
        while true {
            let page = try #require(await desk.ask("cat", ids.count, 30).page)
            ids += page.stickers.map(\.identifier)
            guard page.hasMore else { break }
            #expect(!page.stickers.isEmpty)
        }
        #expect(ids == (0..<120).map { "s\($0)" })
        #expect(upstream.requests.compactMap { $0.number(of: "offset") } == [0, 50, 100])
    }

    @Test func orderThatChangesMeanwhileShowsNothingTwice() async throws {
        // Each page begins with one that the page before it ended with.
        let upstream = try FakeUpstream { line in
            let offset = line.number(of: "offset") ?? 0
            let ids = (max(0, offset - 1)..<min(100, offset + 49)).map { "s\($0)" }
            let stickers = ids.map { GiphyAnswer.sticker($0) }
            return FakeUpstream.answer(
                200, GiphyAnswer.page(stickers, total: 100, offset: offset))
        }
        let desk = TestDesk(.giphy(port: upstream.port))

        let first = await desk.ask("cat", 0, 200)
        let second = await desk.ask("cat", first.page?.stickers.count ?? 0, 200)
        let ids = (first.ids ?? []) + (second.ids ?? [])
        #expect(Set(ids).count == ids.count && ids.count > 90)
        #expect(await desk.told.wait { $0.contains { $0.contains("duplicate") } } != nil)
    }

    @Test func whoTurnsPagesStaysWithOneAnswer() async throws {
        let upstream = try FakeUpstream { FakeUpstream.answer(200, GiphyAnswer.library(90, $0)) }
        let desk = TestDesk(.giphy(port: upstream.port))

        #expect(await desk.ask("cat").page?.count == 50)
        desk.clock.advance(seconds: 1800)
        #expect(await desk.ask("cat", 50).ids?.first == "s50")
        #expect(upstream.requests.compactMap { $0.number(of: "offset") } == [0, 50])
        desk.clock.advance(seconds: 1800)
        #expect(await desk.ask("cat", 50).ids?.first == "s50")
        #expect(upstream.requests.compactMap { $0.number(of: "offset") } == [0, 50, 0, 50])
    }

    @Test func leapIsAskedForInSteps() async throws {
        let upstream = try FakeUpstream { FakeUpstream.answer(200, GiphyAnswer.library(480, $0)) }
        let desk = TestDesk(.giphy(port: upstream.port))

        let first = await desk.ask("cat", 300)
        #expect(first.lack == .far && first.ids == [])
        #expect(upstream.requests.count == 4)
        #expect(await desk.ask("cat", 300).ids?.first == "s300")
        let behind = await desk.ask("cat", 100_000)
        #expect(behind.lack == nil && behind.ids == [] && behind.page?.hasMore == false)
    }

    @Test func providerThatKnowsNoOffsetsIsAskedNoMore() async throws {
        let stickers = ["a", "b"].map { ProviderAnswer.sticker($0) }
        let upstream = try FakeUpstream { _ in
            FakeUpstream.answer(200, ProviderAnswer.page(stickers, #","has_more":true"#))
        }
        let desk = TestDesk(.partner(port: upstream.port), key: nil)

        #expect(await desk.ask().ids == ["a", "b"])
        let more = await desk.ask("", 2)
        #expect(more.ids == [] && more.page?.hasMore == false)
        _ = await desk.ask("", 2)
        #expect(upstream.requests.count == 2)
    }

    @Test func endlessProviderEnds() async throws {
        // All of them are too old, so that no list grows by them.
        let stickers = (0..<1000).map { ProviderAnswer.sticker("s\($0)", #","rating":"r""#) }
        let answer = ProviderAnswer.page(stickers, #","has_more":true"#)
        let upstream = try FakeUpstream { _ in FakeUpstream.answer(200, answer) }
        let desk = TestDesk(.partner(port: upstream.port), key: nil)

        #expect(await desk.ask().lack == .far)
        let end = await desk.ask()
        #expect(end.lack == nil && end.page?.hasMore == false)
        #expect(
            upstream.requests.compactMap { $0.number(of: "offset") } == [1000, 2000, 3000, 4000])
    }

    @Test func ratingIsACeilingBelowTheConfiguredOne() async throws {
        let stickers = [("a", "g"), ("b", "pg"), ("c", "r")].map {
            ProviderAnswer.sticker($0, #","rating":"\#($1)""#)
        }
        let upstream = try FakeUpstream { _ in
            FakeUpstream.answer(200, ProviderAnswer.page(stickers))
        }
        var configuration = UpstreamConfiguration.partner(port: upstream.port)
        configuration.rating = .parentalGuidance
        let desk = TestDesk(configuration, key: nil)

        #expect(await desk.ask("", upTo: .restricted).ids == ["a", "b"])
        #expect(await desk.ask("", upTo: .general).ids == ["a"])
        #expect(upstream.requests.count == 1)
    }

    @Test func otherKeyIsTriedAtOnce() async throws {
        let upstream = try FakeUpstream { line in
            line.contains("NewKey") ? Self.two : FakeUpstream.answer(403)
        }
        let desk = TestDesk(.giphy(port: upstream.port), key: nil)
        #expect(await desk.ask().lack == .key && desk.desk.trouble != nil)
        #expect(upstream.requests.isEmpty)

        desk.desk.take(key: "OldKey")
        #expect(await desk.ask().fault?.kind == .key)
        desk.desk.take(key: "OldKey")
        #expect(await desk.ask().fault?.kind == .key)
        #expect(upstream.requests.count == 1)
        desk.desk.take(key: "NewKey")
        #expect(await desk.ask().ids == ["a", "b"])
    }

    @Test func lateRefusalOfAnOldKeyPausesNothing() async throws {
        let gate = DispatchSemaphore(value: 0)
        let upstream = try FakeUpstream { line in
            guard line.contains("OldKey") else { return Self.two }
            gate.wait()
            return FakeUpstream.answer(401)
        }
        let desk = TestDesk(.giphy(port: upstream.port), key: "OldKey")

        async let found = desk.ask("cat")
        #expect(await waitUntil { !upstream.requests.isEmpty })
        desk.desk.take(key: "NewKey")
        gate.signal()
        // It is asked again under the new one.
        #expect(await found.ids == ["a", "b"])
        #expect(await desk.ask("dog").ids == ["a", "b"] && desk.desk.trouble == nil)
        #expect(upstream.requests.count == 3)
    }

    @Test func whatIsKeptIsBounded() {
        var cache = ListingCache(bytesMax: 20_000, countMax: 3)
        func question(_ number: Int) -> UpstreamQuestion {
            UpstreamQuestion("q\(number)", upTo: .general)
        }
        func listing(_ count: Int) -> Listing {
            var listing = Listing(askedAt: .now)
            let stickers = (0..<count).map {
                UpstreamSticker(identifier: "s\($0)", url: "https://x/", thumbnail: "https://x/")
            }
            _ = listing.take(UpstreamPage(stickers: stickers))
            return listing
        }
        for number in 0..<4 {
            cache.keep(listing(1), of: question(number))
            _ = cache.listing(of: question(0))
        }
        #expect(cache.count == 3 && cache.listing(of: question(1)) == nil)
        #expect(cache.listing(of: question(0)) != nil)
        cache.keep(listing(50), of: question(5))
        #expect(cache.bytes <= 20_000 && cache.listing(of: question(5)) != nil)
        cache.keep(listing(5000), of: question(6))
        #expect(cache.count == 0 && cache.bytes == 0)
        #expect(listing(5000).stickers.count == 1000)
    }
}
