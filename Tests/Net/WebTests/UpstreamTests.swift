import Dispatch
import Foundation
import StickerConfiguration
import StickerHTTP
import StickerTestSupport
import StickerValues
import Synchronization
import Testing

@testable import StickerServices
@testable import StickerWeb

/// Categories of upstreams beside ours, as clients see them.
struct UpstreamTests {
    private static let key = "SecretKey123"

    /// GIPHY's answer with so many stickers to the first line of a request.
    private static func giphy(_ total: Int, _ line: String) -> FakeUpstream.Act {
        func number(_ name: String) -> Int {
            let value = line.split { "?& ".contains($0) }.first { $0.hasPrefix("\(name)=") }
            return value.flatMap { Int($0.dropFirst(name.count + 1)) } ?? 0
        }
        let ids = (0..<total).dropFirst(number("offset")).prefix(number("limit"))
        let data = ids.map { id in
            let url = "https://media1.giphy.com/media/s\(id)"
            return """
                {"type":"sticker","id":"s\(id)","title":"","rating":"g","images":{
                "original":{"url":"\(url)/giphy.gif","width":"480","height":"270","frames":"9",
                "webp":"\(url)/giphy.webp"},
                "fixed_width_still":{"url":"\(url)/200w_s.gif","width":"200","height":"113"}}}
                """
        }
        return FakeUpstream.answer(
            200,
            """
            {"data":[\(data.joined(separator: ","))],"pagination":{"total_count":\(total)},
            "meta":{"status":200,"msg":"OK","response_id":"x"}}
            """)
    }

    /// A provider's answer.
    private static func partner(_ ids: [String]) -> FakeUpstream.Act {
        let images = ids.map {
            #"{"id":"\#($0)","url":"https://cdn.example.org/\#($0).png","#
                + #""thumbnail":"https://cdn.example.org/t/\#($0).png"}"#
        }
        return FakeUpstream.answer(200, #"{"images":[\#(images.joined(separator: ","))]}"#)
    }

    private func giphy(
        _ upstream: FakeUpstream, merged: Bool = true,
        _ change: (inout UpstreamConfiguration) -> Void = { _ in }
    ) -> UpstreamConfiguration {
        var configuration = UpstreamConfiguration(CategoryID(rawValue: "gifs"), .giphy)
        configuration.url = "http://127.0.0.1:\(upstream.port)/v1/stickers"
        (configuration.title, configuration.merged) = ("From GIPHY", merged)
        change(&configuration)
        return configuration
    }

    private func partner(_ upstream: FakeUpstream, merged: Bool = true) -> UpstreamConfiguration {
        var configuration = UpstreamConfiguration(CategoryID(rawValue: "partner"))
        configuration.url = "http://127.0.0.1:\(upstream.port)/api/stickers"
        (configuration.title, configuration.merged) = ("Partner", merged)
        configuration.imageHosts = ["cdn.example.org"]
        return configuration
    }

    /// A library of `count` cats with these beside it.
    private func shelf(
        _ upstreams: [UpstreamConfiguration], cats count: Int = 3, keys: [String] = [],
        patience: Upstreams.Patience = .init(category: .seconds(300), list: .seconds(300)),
        seconds: Int = 300,
        log: LogBook = LogBook()
    ) throws -> Shelf {
        let credentials = try TemporaryFolder()
        try credentials.write(Array(Self.key.utf8), to: "upstream-gifs.key")
        let shelf = try Shelf(
            keys: keys, upstreams: upstreams, credentials: credentials.path, patience: patience,
            seconds: seconds, logger: log.logger)
        try shelf.publish(["cats": (0..<count).map { Shelf.Art("cat\($0)") }])
        return shelf
    }

    // MARK: Apart

    @Test func categoryIsListedWithWhatMustBeShown() async throws {
        let upstream = try FakeUpstream { Self.giphy(60, $0) }
        let shelf = try shelf([giphy(upstream, merged: false)])

        let list = try #require(
            await shelf.ask("/api/categories").json["categories"] as? [[String: Any]])
        #expect(list.map { $0["id"] as? String } == ["cats", "gifs"])
        let one = await shelf.ask("/api/categories/gifs").json
        #expect(one["title"] as? String == "From GIPHY" && one["foreign"] as? Bool == true)
        let attribution = try #require(one["attribution"] as? [String: String])
        #expect(attribution == ["text": "Powered by GIPHY", "url": "https://giphy.com/"])
        #expect(
            one["stickersURL"] as? String == "https://example.org/api/categories/gifs/stickers")
        #expect(await shelf.ask("/api/categories/gifs/packs").status == 404)
        #expect(await shelf.ask("/api/categories/gifs/manifest").status == 404)
        // Nobody is asked before somebody wants to see stickers, and ours have none of theirs.
        #expect(await shelf.ask("/api/stickers/trending").ids == ["cat0", "cat1", "cat2"])
        #expect(upstream.requests.isEmpty)
    }

    @Test func stickersHaveTheShapeOfAProvider() async throws {
        let upstream = try FakeUpstream { Self.giphy(60, $0) }
        let shelf = try shelf([giphy(upstream)])

        let reply = await shelf.ask(
            "/api/categories/gifs/stickers?q=two+w%C3%B6rds&limit=1&rating=r")
        let image = try #require((reply.json["images"] as? [[String: Any]])?.first)

        #expect(reply.status == 200 && reply.json["has_more"] as? Bool == true)
        #expect(reply.headers["Age"] == "0" && reply.headers["ETag"] == nil)
        #expect(image["id"] as? String == "gifs.s0" && image["category"] as? String == "gifs")
        #expect(image["url"] as? String == "https://media1.giphy.com/media/s0/giphy.gif")
        #expect(image["thumbnail"] as? String == "https://media1.giphy.com/media/s0/200w_s.gif")
        #expect(image["title"] as? String == "From GIPHY" && image["animated"] as? Bool == true)
        #expect(
            image["attribution"] as? [String: String]
                == ["text": "Powered by GIPHY", "url": "https://giphy.com/"])
        let webP = await shelf.ask("/api/categories/gifs/stickers?q=two+w%C3%B6rds&format=webp")
        #expect(
            (webP.json["images"] as? [[String: Any]])?.first?["url"] as? String
                == "https://media1.giphy.com/media/s0/giphy.webp")
        #expect(
            upstream.requests == [
                "GET /v1/stickers/search?api_key=\(Self.key)&q=two%20w%C3%B6rds&lang=en&limit=50"
                    + "&offset=0&rating=g HTTP/1.1"
            ])
        // An id of theirs is none of ours.
        #expect(await shelf.ask("/api/stickers/gifs.s0").status == 404)
    }

    @Test func pagesAreTurnedByWhatCame() async throws {
        let upstream = try FakeUpstream { Self.giphy(120, $0) }
        let shelf = try shelf([giphy(upstream, merged: false)])

        let ids = await turn("/api/categories/gifs/stickers?", shelf, limit: 70)

        #expect(ids == (0..<120).map { "gifs.s\($0)" })
        #expect(upstream.requests.count == 3)
    }

    /// All pages of a list, each as long as it happens to be.
    private func turn(_ target: String, _ shelf: Shelf, limit: Int) async -> [String] {
        var ids: [String] = []
        for _ in 0..<200 {
            let page = await shelf.ask("\(target)offset=\(ids.count)&limit=\(limit)")
            ids += page.ids
            guard page.json["has_more"] as? Bool == true, !page.ids.isEmpty else { break }
        }
        return ids
    }

    @Test(arguments: [
        ("/api/categories/gifs/stickers?limit=-1", 400),
        ("/api/categories/gifs/stickers?rating=x", 400),
        ("/api/categories/gifs/stickers?format=bmp", 400),
        ("/api/categories/gifs/stickers?q=" + String(repeating: "x", count: 51), 414),
        ("/api/categories/gifs/stickers?q=" + String(repeating: "%C3%A4", count: 50), 200),
        ("/api/categories/none/stickers", 404), ("/api/categories/cats/stickers", 200),
        ("/api/categories/gifs/stickers?limit=0", 200),
    ])
    func statusOf(target: String, status: Int) async throws {
        let upstream = try FakeUpstream { Self.giphy(5, $0) }
        let reply = try await shelf([giphy(upstream)]).ask(target)
        #expect(reply.status == status)
        #expect(status < 400 || reply.json["images"] == nil && reply.json["error"] is String)
    }

    @Test func faultIsNoEmptyList() async throws {
        let upstream = try FakeUpstream { _ in
            FakeUpstream.answer(429, headers: ["Retry-After: 4000"])
        }
        let shelf = try shelf([giphy(upstream)])

        for _ in 0..<3 {
            let reply = await shelf.ask("/api/categories/gifs/stickers")
            #expect(reply.status == 503 && reply.json["images"] == nil)
            let seconds = try #require(reply.headers["Retry-After"].flatMap(Int.init))
            #expect((2000...4000).contains(seconds))
        }
        #expect(upstream.requests.count == 1)
        let ready = await shelf.ask("/readyz")
        let troubles = ready.json["upstreams"] as? [[String: String]]
        #expect(ready.status == 200 && troubles?.first?["category"] == "gifs")
        #expect(troubles?.first?["trouble"]?.contains("left alone for 4000 s") == true)
        #expect(troubles?.first?["trouble"]?.contains("raise the quota") == true)
    }

    @Test func whoMayNotAskCostsNoCall() async throws {
        let upstream = try FakeUpstream { Self.giphy(5, $0) }
        let keyed = try shelf([giphy(upstream)], keys: ["one"])
        for target in ["/api/categories/gifs/stickers?q=a", "/api/stickers/search?q=a"] {
            #expect(await keyed.ask(target).status == 401)
            #expect(await keyed.ask("\(target)&api_key=two").status == 401)
        }
        #expect(upstream.requests.isEmpty)
        #expect(await keyed.ask("/api/categories/gifs/stickers?api_key=one").ids.count == 5)
    }

    @Test func categoryOfOursWins() async throws {
        let upstream = try FakeUpstream { Self.giphy(5, $0) }
        let log = LogBook()
        let shelf = try shelf([giphy(upstream)], log: log)
        #expect(await shelf.ask("/api/categories/gifs/stickers").ids.count == 5)

        for taken in [["gifs": [Shelf.Art("ours")]], ["from GIPHY": [Shelf.Art("ours")]]] {
            try shelf.publish(taken)
            let id = taken.keys.first ?? ""
            #expect(await shelf.ask("/api/stickers/trending").ids.contains("ours"))
            #expect(await !shelf.ask("/api/stickers/trending").ids.contains("gifs.s0"))
            let listed = await shelf.ask("/api/categories").json["categories"] as? [[String: Any]]
            #expect(listed?.contains { $0["foreign"] as? Bool == true } == false, "\(id)")
            let trouble = await shelf.ask("/readyz").json["upstreams"] as? [[String: String]]
            #expect(trouble?.first?["trouble"]?.contains("has its id or title") == true)
            try shelf.remove(id)
        }
        #expect(await shelf.ask("/api/categories/gifs/stickers").ids.first == "gifs.s0")
        #expect(await shelf.ask("/readyz").json["upstreams"] == nil)
        #expect(log.text.contains("warning an upstream is not shown"))
    }

    // MARK: Lists of all categories

    @Test(arguments: [1, 7, 50, 200]) func pagesOfTheJoinedListHaveNeitherGapsNorTwins(
        limit: Int
    ) async throws {
        let (one, two) = (
            try FakeUpstream { Self.giphy(60, $0) },
            try FakeUpstream { _ in Self.partner(["a", "b", "c"]) }
        )
        let shelf = try shelf([giphy(one), partner(two)], cats: 14)
        let wanted =
            (0..<14).map { "cat\($0)" } + (0..<60).map { "gifs.s\($0)" }
            + ["partner.a", "partner.b", "partner.c"]

        #expect(await turn("/api/stickers/trending?", shelf, limit: limit) == wanted)
        #expect(await turn("/api/stickers/search?q=cat&", shelf, limit: limit) == wanted)
        #expect(one.requests.count == 4 && two.requests.count == 2)
    }

    /// The next one is asked for by those who want it: a service counts calls.
    @Test func pageOfTheJoinedListCostsOneCall() async throws {
        let (one, two) = (
            try FakeUpstream { Self.giphy(150, $0) },
            try FakeUpstream { _ in Self.partner(["a"]) }
        )
        let shelf = try shelf([giphy(one), partner(two)])

        let page = await shelf.ask("/api/stickers/trending?limit=200")
        #expect(page.ids.count == 53 && page.json["has_more"] as? Bool == true)
        #expect(one.requests.count == 1 && two.requests.isEmpty)
        _ = await shelf.ask("/api/stickers/trending?limit=200&offset=100000")
        #expect(one.requests.count == 2)
        #expect(await turn("/api/stickers/trending?", shelf, limit: 200).count == 154)
        #expect(one.requests.count == 3)
    }

    /// A question with many blanks is the same one, and leaves nobody out.
    @Test func blanksOfAStrangerChangeNobodysList() async throws {
        let (one, two) = (
            try FakeUpstream { Self.giphy(60, $0) },
            try FakeUpstream { _ in Self.partner(["a", "b", "c"]) }
        )
        let shelf = try shelf([giphy(one), partner(two)])
        let first = await turn("/api/stickers/search?q=cat&", shelf, limit: 20)

        let blanks = String(repeating: "%20", count: 60)
        #expect(await turn("/api/stickers/search?q=cat\(blanks)&", shelf, limit: 20) == first)
        #expect(await turn("/api/stickers/search?q=cat&", shelf, limit: 20) == first)
        #expect(first.count == 66)
    }

    /// The end of an old answer is no answer.
    @Test func oldOnesAreToldAlsoWhereTheirEndIsKnown() throws {
        func found(_ count: Int, _ lack: UpstreamDesk.Lack?) -> UpstreamDesk.Found {
            let url = "https://cdn.example.org/a.png"
            let stickers = (0..<count).map {
                UpstreamSticker(identifier: "s\($0)", url: url, thumbnail: url)
            }
            let page = UpstreamDesk.Page(
                stickers: stickers, count: 2, hasMore: false, isComplete: true, age: .seconds(900))
            return UpstreamDesk.Found(page: page, lack: lack)
        }
        let upstream = UpstreamConfiguration(CategoryID(rawValue: "partner"))
        let own = SearchIndex.Page(bodies: [], hasMore: false)
        var list = UpstreamList(
            paging: try Paging(WebRequest("GET", "/?limit=10")), own: own, total: 0, asWebP: false)
        let fault = UpstreamFault(.unanswered, "it cannot be reached")

        #expect(list.take(found(2, .fault(fault, .now)), upstream) == 2)
        list.note(found(0, nil), upstream)
        #expect(list.lacking(of: [upstream]).map(\.age) == [900])
        #expect(list.take(found(2, nil), upstream) == 2)
        #expect(list.lacking(of: [upstream]).isEmpty)
    }

    @Test func pageOfOursAloneAsksNobody() async throws {
        let upstream = try FakeUpstream { Self.giphy(60, $0) }
        let shelf = try shelf([giphy(upstream)], cats: 30)

        let page = await shelf.ask("/api/stickers/trending?limit=10")
        #expect(page.ids.count == 10 && page.json["has_more"] as? Bool == true)
        #expect(page.headers["ETag"] != nil && upstream.requests.isEmpty)
        // Whether there is more behind our last one is theirs to say.
        let last = await shelf.ask("/api/stickers/trending?offset=20&limit=10")
        #expect(last.ids.count == 10 && last.json["has_more"] as? Bool == true)
    }

    @Test func deadUpstreamTakesNothingFromOurs() async throws {
        let (one, two) = (
            try FakeUpstream { _ in FakeUpstream.answer(500, "<html>") },
            try FakeUpstream { _ in Self.partner(["a"]) }
        )
        let shelf = try shelf([giphy(one), partner(two)])

        for _ in 0..<3 {
            let reply = await shelf.ask("/api/stickers/search?q=cat")
            #expect(reply.ids == ["cat0", "cat1", "cat2", "partner.a"])
            #expect(reply.json["has_more"] as? Bool == false)
            let lacking = try #require(reply.json["incomplete"] as? [[String: Any]])
            #expect(lacking.count == 1 && lacking[0]["category"] as? String == "gifs")
            #expect(lacking[0]["why"] as? String == "it cannot be asked now")
        }
        #expect(one.requests.count == 1)
    }

    @Test func silentUpstreamHoldsOursBackForAMomentAlone() async throws {
        let (one, two) = (
            try FakeUpstream { _ in .silence }, try FakeUpstream { _ in Self.partner(["a"]) }
        )
        var silent = giphy(one)
        silent.callsPerHour = 0
        let shelf = try shelf(
            [silent, partner(two)], patience: .init(category: .zero, list: .milliseconds(100)))

        let end = ContinuousClock.now + .seconds(600)
        var reply = await shelf.ask("/api/stickers/trending")
        while reply.ids.count < 4, ContinuousClock.now < end {
            reply = await shelf.ask("/api/stickers/trending")
        }
        #expect(reply.ids == ["cat0", "cat1", "cat2", "partner.a"])
        let lacking = try #require(reply.json["incomplete"] as? [[String: Any]])
        #expect(lacking.map { $0["category"] as? String } == ["gifs"])
        #expect(reply.json["has_more"] as? Bool == true && one.requests.count == 1)
    }

    @Test func whoeverArrivesLateComesBehindWhatWasShown() async throws {
        let gate = DispatchSemaphore(value: 0)
        let one = try FakeUpstream { line in
            gate.wait()
            gate.signal()
            return Self.giphy(60, line)
        }
        let two = try FakeUpstream { _ in Self.partner(["a", "b", "c"]) }
        let shelf = try shelf(
            [giphy(one), partner(two)], patience: .init(category: .zero, list: .seconds(1)))
        let first = ["cat0", "cat1", "cat2", "partner.a", "partner.b"]
        let end = ContinuousClock.now + .seconds(600)
        var ids: [String] = []
        while ids != first, ContinuousClock.now < end {
            ids = await shelf.ask("/api/stickers/trending?limit=5").ids
        }

        gate.signal()
        let wanted = first + ["partner.c"] + (0..<60).map { "gifs.s\($0)" }
        while ids.count < wanted.count, ContinuousClock.now < end {
            ids += await shelf.ask("/api/stickers/trending?limit=7&offset=\(ids.count)").ids
        }
        #expect(ids == wanted)
        // A client that begins now reads the same list.
        #expect(await turn("/api/stickers/trending?", shelf, limit: 50) == wanted)
    }

    private func troubles(_ shelf: Shelf) -> [String] {
        shelf.upstreams.troubles(beside: shelf.library.now).map(\.trouble)
    }

    @Test func otherRequestsWaitForNobody() async throws {
        let gate = DispatchSemaphore(value: 0)
        let upstream = try FakeUpstream { line in
            gate.wait()
            return Self.giphy(5, line)
        }
        let shelf = try shelf([giphy(upstream, merged: false)])

        // More than there are threads wait for one answer.
        await withTaskGroup(of: Int.self) { group in
            for _ in 0..<64 {
                group.addTask { await shelf.ask("/api/categories/gifs/stickers").ids.count }
            }
            #expect(await waitUntil { !upstream.requests.isEmpty })
            for _ in 0..<100 { #expect(await shelf.ask("/api/stickers/trending").status == 200) }
            gate.signal()
            for await count in group { #expect(count == 5) }
        }
        #expect(upstream.requests.count == 1)
    }

    @Test func questionThatIsTooLongForOneIsAskedOfTheOthers() async throws {
        let (one, two) = (
            try FakeUpstream { Self.giphy(60, $0) }, try FakeUpstream { _ in Self.partner(["a"]) }
        )
        let shelf = try shelf([giphy(one), partner(two)])
        let words = String(repeating: "x", count: 60)

        let reply = await shelf.ask("/api/stickers/search?q=\(words)")
        #expect(reply.ids == ["partner.a"] && one.requests.isEmpty)
        let lacking = reply.json["incomplete"] as? [[String: Any]]
        #expect(lacking?.first?["why"] as? String == "the question is too long for it")
    }

    @Test func clientsRatingIsPassedOn() async throws {
        let upstream = try FakeUpstream { Self.giphy(5, $0) }
        let shelf = try shelf([giphy(upstream) { $0.rating = .fromThirteen }])
        for (asked, passed) in [("g", "g"), ("pg", "pg"), ("r", "pg-13")] {
            _ = await shelf.ask("/api/stickers/search?q=dog&rating=\(asked)")
            #expect(upstream.requests.last?.contains("&rating=\(passed) ") == true)
        }
    }

    // MARK: Trust

    @Test func keyIsSeenByTheUpstreamAlone() async throws {
        let state = Mutex(FakeUpstream.answer(200))
        let upstream = try FakeUpstream { _ in state.withLock { $0 } }
        let echo =
            #"{"data":[{"id":"\#(Self.key)"},{"id":"a","title":"\#(Self.key)","images":{"#
            + #""original":{"url":"https://media.giphy.com/\#(Self.key).gif"}}}],"meta":"\#(Self.key)"}"#
        var seen = ""
        let targets = [
            "/api/categories/gifs/stickers", "/api/categories/gifs/stickers?q=a",
            "/api/stickers/search?q=b", "/api/stickers/trending", "/api/categories",
            "/api/categories/gifs", "/readyz", "/api/openapi.json", "/", "/nothing",
        ]
        let acts = [
            FakeUpstream.answer(200, echo), FakeUpstream.answer(401, Self.key),
            FakeUpstream.answer(301, headers: ["Location: https://a.example/?\(Self.key)"]),
            FakeUpstream.answer(200, Self.key), .send("HTTP/1.1 \(Self.key)\r\n\r\n"), .silence,
        ]
        for (number, act) in acts.enumerated() {
            state.withLock { $0 = act }
            let log = LogBook()
            let seconds = number == acts.count - 1 ? 1 : 300
            let shelf = try shelf([giphy(upstream)], seconds: seconds, log: log)
            for target in targets {
                let reply = await shelf.ask(target)
                seen += "\(reply.headers) \(String(decoding: reply.bytes, as: UTF8.self))\n"
            }
            let metrics = await shelf.ask("/metrics", client: "127.0.0.1")
            #expect(metrics.status == 200)
            seen += String(decoding: metrics.bytes, as: UTF8.self) + log.text
            #expect(log.text.contains("does not answer"))
        }
        #expect(upstream.requests.contains { $0.contains(Self.key) })
        #expect(!seen.contains(Self.key))
    }

    @Test func onlyTheConfiguredHostIsAsked() async throws {
        let elsewhere = try FakeUpstream { _ in Self.partner(["stolen"]) }
        let redirecting = try FakeUpstream { line in
            let path = line.split(separator: " ").dropFirst().first ?? ""
            return FakeUpstream.answer(
                302, headers: ["Location: http://127.0.0.1:\(elsewhere.port)\(path)"])
        }
        let shelf = try shelf([partner(redirecting)])

        #expect(await shelf.ask("/api/categories/partner/stickers").status == 503)
        #expect(await shelf.ask("/api/stickers/trending").ids == ["cat0", "cat1", "cat2"])
        #expect(redirecting.requests.count == 1 && elsewhere.requests.isEmpty)
        #expect(troubles(shelf).first?.contains("which is not followed") == true)
    }

    @Test func missingKeyIsSaidAndTheRestIsServed() async throws {
        let upstream = try FakeUpstream { Self.giphy(5, $0) }
        let log = LogBook()
        let credentials = try TemporaryFolder()
        let shelf = try Shelf(
            upstreams: [giphy(upstream)], credentials: credentials.path, logger: log.logger)
        try shelf.publish(["cats": [Shelf.Art("wave")]])

        #expect(await shelf.ask("/api/stickers/trending").ids == ["wave"])
        #expect(await shelf.ask("/api/categories/gifs/stickers").status == 503)
        #expect(upstream.requests.isEmpty && log.text.contains("web.upstreams.gifs.keyFile"))
        try credentials.write(Array("NewKey".utf8), to: "upstream-gifs.key")
        shelf.upstreams.reload(credentials: credentials.path)
        #expect(log.text.contains(#"notice keys for upstreams were read ["keys": 1]"#))
        #expect(await shelf.ask("/api/categories/gifs/stickers").ids.count == 5)
    }

    @Test func callsAreCountedByWhatBecameOfThem() async throws {
        let (one, two) = (
            try FakeUpstream { _ in FakeUpstream.answer(403) },
            try FakeUpstream { _ in Self.partner(["a", "a", "b/c"]) }
        )
        let shelf = try shelf([giphy(one), partner(two)])
        _ = await shelf.ask("/api/stickers/trending")
        _ = await shelf.ask("/api/stickers/search?q=x")

        let text = await String(
            decoding: shelf.ask("/metrics", client: "127.0.0.1").bytes, as: UTF8.self)
        for line in [
            #"calls_total{upstream="gifs",outcome="key"} 1"#,
            #"calls_total{upstream="partner",outcome="answered"} 2"#,
            #"left_out_total{upstream="partner",reason="duplicate"} 2"#,
            #"left_out_total{upstream="partner",reason="identifier"} 2"#,
            #"trouble{upstream="gifs"} 1"#, #"trouble{upstream="partner"} 0"#,
        ] {
            #expect(text.contains("stickerd_web_upstream_\(line)\n"), "\(line)")
        }
    }

    @Test func pagesMayShowTheirPictures() async throws {
        let upstream = try FakeUpstream { Self.giphy(5, $0) }
        let policy = try await shelf([giphy(upstream)]).ask("/").headers["Content-Security-Policy"]
        #expect(
            policy?.contains("img-src 'self' https://i.giphy.com https://media.giphy.com ") == true)
        #expect(PagePolicy().text.contains("img-src 'self'; "))
    }

    @Test func tagTellsWhatIsConfigured() async throws {
        let upstream = try FakeUpstream { Self.giphy(5, $0) }
        let tags = try await [[], [giphy(upstream)], [giphy(upstream, merged: false)]].asyncMap {
            try await shelf($0).ask("/api/categories").headers["ETag"] ?? ""
        }
        #expect(Set(tags).count == 3)
    }
}

extension Array {
    fileprivate func asyncMap<Value>(_ change: (Element) async throws -> Value) async rethrows
        -> [Value]
    {
        var values: [Value] = []
        for element in self { values.append(try await change(element)) }
        return values
    }
}
