import StickerValues
import Testing

@testable import StickerWeb

/// Answers, as clients see them.
struct SiteTests {
    private let shelf: Shelf

    init() throws {
        shelf = try Shelf()
        try shelf.publish([
            "cats": [
                Shelf.Art("wave", "Wave \"hello\"\n\u{1F}\\"),
                Shelf.Art("spin").with { $0.moves = true },
                Shelf.Art("bare").with { $0.hasCompanion = false },
            ]
        ])
    }

    private func image(_ id: String, _ format: String = "") -> [String: Any] {
        shelf.get("/api/stickers/\(id)?format=\(format)").json
    }

    @Test func addressesAreAbsoluteAndOfWhatEditorsShow() {
        let wave = image("wave")
        #expect((wave["url"] as? String)?.hasPrefix("https://example.org/_/00/0000") == true)
        #expect((wave["url"] as? String)?.hasSuffix(".png") == true)
        #expect((wave["thumbnail"] as? String)?.hasSuffix(".png") == true)
        #expect(wave["title"] as? String == "Wave \"hello\"\n\u{1F}\\")
        #expect((image("spin")["url"] as? String)?.hasSuffix(".gif") == true)
        #expect((image("spin", "webp")["url"] as? String)?.hasSuffix(".webp") == true)
        // Without a companion, the preview is the only PNG there is.
        #expect(image("bare")["url"] as? String == image("bare")["thumbnail"] as? String)
    }

    @Test(arguments: [
        ("/api/stickers/nothing", 404), ("/api/stickers/by-id/wave", 200),
        ("/api/stickers/trending?limit=-1", 400), ("/api/stickers/trending?limit=ten", 400),
        ("/api/stickers/trending?offset=99999999999999999999", 400),
        ("/api/stickers/search?format=bmp", 400),
        ("/api/stickers/trending?rating=x", 400), ("/api/stickers/", 404), ("/api/stickers", 404),
        ("/api/stickers/a/b", 404), ("/%zz", 400), ("/%00", 400), ("/a%ff", 400), ("", 400),
    ])
    func statusOf(target: String, status: Int) {
        let reply = shelf.get(target)
        #expect(reply.status == status)
        guard status >= 400 else { return }
        // Clients of sticker providers look for this member, and at nothing else.
        #expect(reply.json["images"] == nil && reply.json["error"] is String)
        #expect(reply.json["remedy"] is String && reply.json["request"] as? String == "r1")
    }

    /// GIPHY's own client sends fields of its own, and so may others.
    @Test(arguments: Route.allCases.map(\.rawValue) + ["/_/00/file.webp", "/nothing", "*"])
    func preflightIsAnswered(target: String) {
        let reply = shelf.get(
            target.replacing("{id}", with: "wave"), method: "OPTIONS",
            ["access-control-request-headers": "x-giphy-sdk-version, authorization"])

        #expect(reply.status == 204 && reply.bytes.isEmpty)
        #expect(reply.headers["Access-Control-Allow-Methods"]?.hasPrefix("GET, HEAD") == true)
        #expect(
            reply.headers["Access-Control-Allow-Headers"] == "x-giphy-sdk-version, authorization")
        #expect(reply.headers["Access-Control-Max-Age"] == "86400")
    }

    @Test func preflightEchoesNothingButNamesOfFields() {
        let reply = shelf.get(
            "/api/categories", method: "OPTIONS", ["access-control-request-headers": "a\r\nb: c"])
        #expect(reply.status == 204)
        #expect(reply.headers["Access-Control-Allow-Headers"] == nil)
    }

    @Test(arguments: [
        ("/api/categories", true), ("/api/events", true), ("/nothing.webp", true),
        ("/api/personal", true), ("/v1/stickers/wave", true), ("/v1/stickers/x", true),
        ("/healthz", true), ("/", false), ("/compose", false), ("/metrics", false),
    ])
    func pagesOfEveryOriginMayRead(target: String, isOpen: Bool) {
        let headers = shelf.get(target).headers
        #expect((headers["Access-Control-Allow-Origin"] == "*") == isOpen)
        let exposed = headers["Access-Control-Expose-Headers"]
        #expect((exposed == "ETag, Age, Retry-After, Content-Range") == isOpen)
    }

    @Test func whatIsKnownAlreadyMayBeReadByPages() throws {
        let tag = try #require(shelf.get("/api/categories").headers["ETag"])
        let reply = shelf.get("/api/categories", ["if-none-match": tag])
        #expect(reply.status == 304 && reply.headers["Access-Control-Allow-Origin"] == "*")
    }

    /// A program gets JSON, and so does an element of a page.
    @Test func browserThatAsksForAPageGetsOne() {
        let html = ["accept": "text/html,application/xhtml+xml;q=0.9"]
        let page = shelf.get("/stickers/<b>", html)
        #expect(page.status == 404)
        #expect(page.headers["Content-Type"] == "text/html; charset=utf-8")
        #expect(page.headers["Content-Security-Policy"] != nil)
        let text = String(decoding: page.bytes, as: UTF8.self)
        #expect(text.contains("<h1>There is nothing here</h1>") && text.contains("href=\"/\""))
        for (target, accept) in [
            ("/nothing.webp", "image/avif,*/*"), ("/api/stickers/x", "text/html"), ("/x", "*/*"),
        ] {
            #expect(shelf.get(target, ["accept": accept]).json["error"] is String)
        }
    }

    @Test func limitHasACap() throws {
        try shelf.publish(["dogs": (0..<250).map { Shelf.Art("d\($0)") }])
        #expect(shelf.get("/api/stickers/trending").ids.count == 200)
        #expect(shelf.get("/api/stickers/trending?limit=1000").ids.count == 200)
        #expect(shelf.get("/api/stickers/trending?limit=0").ids.isEmpty)
        #expect(shelf.get("/api/stickers/trending?offset=240").ids.count == 13)
    }

    @Test func emptyQuestionIsAnsweredByWhatIsTrending() {
        let all = shelf.get("/api/stickers/trending").ids
        #expect(shelf.get("/api/stickers/search").ids == all)
        #expect(shelf.get("/api/stickers/search?q=+%20").ids == all)
        #expect(shelf.get("/api/stickers/search?q=nothing").json["has_more"] as? Bool == false)
    }

    @Test(arguments: ["%00", "%26", "%1F+%7F", "!!!", "%EF%BF%BD"])
    func questionWithoutAWordFindsNothing(question: String) {
        let reply = shelf.get("/api/stickers/search?q=\(question)")
        #expect(reply.status == 200 && reply.ids.isEmpty)
    }

    @Test(arguments: [
        ("g", ["a", "none"]), ("Y", ["a", "none"]), ("pg", ["a", "b", "none"]),
        ("pg-13", ["a", "b", "c", "none"]), ("r", ["a", "b", "c", "d", "none"]),
        ("", ["a", "b", "c", "d", "none"]),
    ])
    func ratingIsACeiling(rating: String, wanted: [String]) throws {
        let shelf = try Shelf()
        let art = [("a", "g"), ("b", "pg"), ("c", "pg-13"), ("d", "r"), ("none", "")]
        try shelf.publish([
            "cats": art.map { id, rating in
                Shelf.Art(id, "cat \(id)").with { $0.rating = Rating(rawValue: rating) }
            }
        ])

        for question in ["trending?", "search?", "search?q=cat&"] {
            let reply = shelf.get("/api/stickers/\(question)rating=\(rating)")
            #expect(reply.ids.sorted() == wanted, "\(question)")
        }
        #expect(shelf.get("/api/stickers/search?q=a&rating=g").ids == ["a"])
        #expect(shelf.get("/api/stickers/search?q=d&rating=g").ids.isEmpty)
    }

    @Test func removedStickerIsGoneWithItsTitle() throws {
        try shelf.bury("nap")
        let reply = shelf.get("/api/stickers/nap")
        #expect(reply.status == 410 && reply.json["title"] as? String == "Old nap")
        #expect(reply.json["successor"] == nil)
    }

    @Test func removedStickerNamesItsSuccessor() throws {
        try shelf.bury(["nap"], successor: "wave")
        let reply = shelf.get("/api/stickers/nap")
        #expect(reply.status == 410 && reply.json["successor"] as? String == "wave")
        #expect(String(decoding: reply.bytes, as: UTF8.self).contains("take wave, which"))
    }

    @Test func keysAreAskedForWhereThereAreSome() throws {
        let shelf = try Shelf(keys: ["one", "two"])
        try shelf.publish(["cats": [Shelf.Art("wave")]])
        #expect(shelf.get("/api/stickers/trending").status == 401)
        #expect(shelf.get("/api/stickers/trending?api_key=tw").status == 401)
        #expect(shelf.get("/api/stickers/trending?api_key=two").ids == ["wave"])
        #expect(shelf.get("/api/stickers/wave?api_key=one").status == 200)
        #expect(shelf.get("/healthz").status == 200)
    }

    @Test func onlyReadingIsAnswered() {
        for method in ["POST", "PUT", "DELETE", "TRACE"] {
            let reply = shelf.get("/api/stickers/trending", method: method)
            #expect(reply.status == 405 && reply.headers["Allow"] == "GET, HEAD")
        }
    }
}
