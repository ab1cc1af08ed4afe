import StickerValues
import Testing

@testable import StickerWeb

/// Categories, what is in them, and their packs.
struct CategoryTests {
    private let shelf: Shelf

    init() throws {
        shelf = try Shelf()
        try shelf.publish([
            "cats": ["wave", "purr", "nap"].map { Shelf.Art($0) }
                + [Shelf.Art("spin").with { $0.moves = true }],
            "dogs": [Shelf.Art("sit")],
        ])
    }

    private func categories(_ query: String = "") -> [[String: Any]] {
        shelf.get("/api/categories\(query)").json["categories"] as? [[String: Any]] ?? []
    }

    @Test func categoryTellsWhatItIsAndWhereTheRestIs() throws {
        let cats = shelf.get("/api/categories/cats").json
        #expect(cats["title"] as? String == "Cats")
        #expect(cats["stickers"] as? Int == 4 && cats["animated"] as? Int == 1)
        #expect(cats["manifestURL"] as? String == "https://example.org/cats/manifest.json")
        #expect(
            cats["stickersURL"] as? String == "https://example.org/api/categories/cats/stickers")
        #expect(categories().compactMap { $0["id"] as? String } == ["cats", "dogs"])
    }

    @Test func listsArePaged() {
        #expect(categories("?limit=1&offset=1").compactMap { $0["id"] as? String } == ["dogs"])
        #expect(shelf.get("/api/categories?limit=1").json["has_more"] as? Bool == true)
        #expect(shelf.get("/api/categories?limit=1&offset=1").json["has_more"] as? Bool == false)
        #expect(categories("?offset=5").isEmpty)
        let page = shelf.get("/api/categories/cats/stickers?offset=1&limit=2")
        #expect(page.ids == ["purr", "nap"] && page.json["has_more"] as? Bool == true)
        #expect(shelf.get("/api/categories?limit=x").status == 400)
    }

    @Test func stickersOfACategoryAreInItsOrder() throws {
        #expect(shelf.get("/api/categories/cats/stickers").ids == ["wave", "purr", "nap", "spin"])
        try shelf.publish(["cats": ["spin", "wave"].map { Shelf.Art($0) }])
        #expect(shelf.get("/api/categories/cats/stickers").ids == ["spin", "wave"])
    }

    @Test func manifestIsReachedByARelativeWay() {
        let reply = shelf.get("/api/categories/cats/manifest")
        #expect(reply.status == 307)
        #expect(reply.headers["Location"] == "../../../cats/manifest.json")
    }

    @Test(arguments: [
        "/api/categories/none", "/api/categories/", "/api/categories/cats/none", "/api/none",
        "/api/categories/cats/stickers/wave", "/api/categories/none/packs", "/api/events/x",
        "/_gallery/none", "/_gallery",
    ])
    func nothingElseIsThere(target: String) {
        #expect(shelf.get(target).status == 404)
    }

    // MARK: Packs

    @Test func packsTellTheirFilesAndWhatTheyLack() throws {
        let hash = String(repeating: "a", count: 32)
        let shelved = "_packs/whatsapp/cats"
        try shelf.write(
            Array(
                (#"{"version":1,"folder":"_\#(hash)","forms":["wastickers","ios"],"#
                    + #""packs":[{"category":"cats"}]}"#).utf8),
            at: "\(shelved)/current.json")
        try shelf.write([1, 2, 3], at: "\(shelved)/_\(hash)/wastickers/ca ts#1.wastickers")
        try shelf.write([1], at: "\(shelved)/_\(hash)/ios/wave.webp")
        try shelf.write([1], at: "\(shelved)/_\(hash)/ios/contents.json")
        let finding = Finding(
            "V03", .fault, "the publisher is not set", remedy: "stickerctl set cats --category")
        let pack = Readiness.Pack(identifier: "cats", title: "Cats", version: 3, stickers: 4)
        try shelf.publish(
            ["cats": [Shelf.Art("wave")]],
            readiness: [
                .whatsapp: Readiness(packs: [pack], findings: []),
                .imgly: Readiness(packs: [], findings: [finding]),
            ])

        let platforms =
            shelf.get("/api/categories/cats/packs").json["platforms"] as? [[String: Any]] ?? []

        #expect(platforms.compactMap { $0["platform"] as? String } == ["whatsapp", "imgly"])
        #expect(platforms.compactMap { $0["ready"] as? Bool } == [true, false])
        let files = platforms.first?["files"] as? [[String: Any]] ?? []
        #expect(files.compactMap { $0["name"] as? String } == ["ca ts#1.wastickers"])
        let url = try #require(files.first?["url"] as? String)
        #expect(url.hasSuffix("/wastickers/ca%20ts%231.wastickers"))
        #expect(shelf.get(String(url.dropFirst("https://example.org".count))).bytes == [1, 2, 3])
        let findings = platforms.last?["findings"] as? [[String: Any]] ?? []
        #expect(findings.first?["rule"] as? String == "V03")
        let listed = shelf.get("/api/categories/cats").json["packs"] as? [[String: Any]] ?? []
        #expect(listed.compactMap { $0["ready"] as? Bool } == [true, false])
    }

    @Test func packsWithoutAFolderHaveNoFiles() throws {
        try shelf.publish(
            ["cats": [Shelf.Art("wave")]],
            readiness: [.tuikit: Readiness(packs: [], findings: [])])
        let platforms =
            shelf.get("/api/categories/cats/packs").json["platforms"] as? [[String: Any]] ?? []
        #expect((platforms.first?["files"] as? [Any])?.isEmpty == true)
    }

    @Test(arguments: [
        (PackPlatform.tuikit, "cats", ["list.json"]), (.imgly, "cats", ["list.json"]),
        (.tuikit, "dogs", []), (.imgly, "dogs", []),
    ])
    func packsOfTheWholeLibraryAreThoseOfItsCategories(
        platform: PackPlatform, category: String, names: [String]
    ) throws {
        try shelf.publish(
            ["cats": [Shelf.Art("wave")]],
            readiness: [platform: Readiness(packs: [], findings: [])])
        let list =
            #"{"folder": "_1", "forms": ["lists"], "packs": [{"category": "\#(category)"}]}"#
        try shelf.write(Array(list.utf8), at: "_packs/\(platform)/current.json")
        try shelf.write([1], at: "_packs/\(platform)/_1/lists/list.json")

        let platforms =
            shelf.get("/api/categories/cats/packs").json["platforms"] as? [[String: Any]] ?? []

        let files = try #require(platforms.first?["files"] as? [[String: Any]])
        #expect(files.compactMap { $0["name"] as? String } == names)
    }

    // MARK: Events

    @Test func listenersHearOfEveryChangeAndTheLastOneCounts() async throws {
        let feed = shelf.library.changes
        var events = try #require(feed.listen(client: "a")).makeAsyncIterator()
        let first = try #require(await events.next())
        try shelf.publish(["birds": [Shelf.Art("sing")]])
        try shelf.publish(["birds": []])
        let second = try #require(await events.next())

        #expect(first != second && second == shelf.library.now.mark)
        try shelf.publish(["birds": [Shelf.Art("sing")]])
        #expect(await events.next() == shelf.library.now.mark)
    }

    @Test func answersAreMadeAgainOnlyIfSomethingChanged() throws {
        let path = "/api/stickers/trending"
        let tag = try #require(shelf.get(path).headers["ETag"])
        #expect(shelf.get(path, ["if-none-match": "W/\(tag)"]).status == 304)
        #expect(shelf.get("/api/categories", ["if-none-match": tag]).status == 304)
        try shelf.publish(["birds": [Shelf.Art("sing")]])
        let reply = shelf.get(path, ["if-none-match": tag])
        #expect(reply.status == 200 && reply.ids.contains("sing"))
    }

    @Test(arguments: [
        ("/api/stickers/none", 404), ("/api/stickers/trending?limit=x", 400),
        ("/v1/stickers/none", 404),
    ])
    func whatIsNotThereIsNotUnchanged(target: String, status: Int) {
        #expect(shelf.get(target, ["if-none-match": "*"]).status == status)
    }

    @Test func manifestThatCannotBeReadIsNoChange() throws {
        let before = shelf.library.now
        try shelf.write(Array("{".utf8), at: "cats/manifest.json")
        for _ in 0..<3 { shelf.library.look() }
        let after = shelf.library.now
        #expect(after.mark == before.mark && after.trouble?.contains("cats/manifest.json") == true)
        #expect(shelf.get("/api/categories/cats/stickers").ids.count == 4)
        try shelf.publish(["cats": [Shelf.Art("wave")]])
        #expect(shelf.library.now.trouble == nil)
        #expect(shelf.get("/api/categories/cats/stickers").ids == ["wave"])
    }

    @Test func anotherListenerThanTheLastOneIsTurnedAway() throws {
        let streams = (0..<2000).map { shelf.library.changes.listen(client: "\($0)") }
        #expect(streams.allSatisfy { $0 != nil })
        let reply = shelf.get("/api/events")
        #expect(reply.status == 503 && reply.headers["Retry-After"] != nil)
    }

    @Test func clientHasAFewPagesOpen() throws {
        let feed = shelf.library.changes
        let streams = (0..<64).map { _ in feed.listen(client: "a") }
        #expect(streams.allSatisfy { $0 != nil })
        #expect(feed.listen(client: "a") == nil && feed.listen(client: "b") != nil)
    }

    @Test func eventsAreNeitherCachedNorHeldBack() {
        let reply = shelf.get("/api/events")
        #expect(reply.headers["Content-Type"] == "text/event-stream")
        #expect(reply.headers["X-Accel-Buffering"] == "no")
        #expect(reply.headers["Cache-Control"] == "no-store")
    }

    @Test func keysGuardAllOfIt() throws {
        let shelf = try Shelf(keys: ["one"])
        try shelf.publish(["cats": [Shelf.Art("wave")]])
        for path in ["categories", "categories/cats", "categories/cats/packs", "events"] {
            #expect(shelf.get("/api/\(path)").status == 401)
            #expect(shelf.get("/api/\(path)?api_key=one").status == 200)
        }
    }
}
