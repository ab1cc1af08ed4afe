import StickerValues
import Testing

@testable import StickerWeb

/// Answers in GIPHY's shape, as its clients read them.
struct GiphyTests {
    private func shelf(_ art: [Shelf.Art], keys: [String] = []) throws -> Shelf {
        let shelf = try Shelf(keys: keys)
        try shelf.publish(["cats": art])
        return shelf
    }

    /// Asks for page after page as giphy-js does, whose next offset and end are what the answer says
    /// (https://github.com/Giphy/giphy-js, packages/fetch-api/src/paginator.ts).
    private func pages(
        _ shelf: Shelf, _ target: String, limit: Int,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> (ids: [String], asked: Int) {
        var (ids, offset, asked) = ([String](), 0, 0)
        while true {
            let reply = shelf.get("\(target)&limit=\(limit)&offset=\(offset)")
            asked += 1
            try #require(reply.status == 200, sourceLocation: sourceLocation)
            let meta = try #require(reply.json["meta"] as? [String: Any])
            try #require((meta["response_id"] as? String)?.isEmpty == false)
            let pagination = try #require(reply.json["pagination"] as? [String: Int])
            let data = try #require(reply.json["data"] as? [[String: Any]])
            #expect(pagination["count"] == data.count && data.count <= limit)
            ids += data.compactMap { $0["id"] as? String }
            offset = try #require(pagination["offset"]) + #require(pagination["count"])
            if try offset == #require(pagination["total_count"]) { return (ids, asked) }
            // A client that is promised more than there is would ask for ever.
            try #require(!data.isEmpty && asked < 100, sourceLocation: sourceLocation)
        }
    }

    @Test(arguments: [(0, 1), (1, 1), (25, 1), (26, 2), (120, 5)])
    func everyPageIsRead(count: Int, asked: Int) throws {
        let wanted = Set((0..<count).map { "wave_\($0)" })
        let shelf = try shelf(
            (0..<count).map { Shelf.Art("wave_\($0)") } + [Shelf.Art("nap", "asleep")])

        let found = try pages(shelf, "/v1/stickers/search?q=wave&rating=pg-13", limit: 25)
        let all = try pages(shelf, "/v1/stickers/trending?rating=pg-13", limit: 25)

        #expect(found.asked == asked && found.ids.count == count && Set(found.ids) == wanted)
        #expect(all.ids.count == count + 1 && Set(all.ids) == wanted.union(["nap"]))
    }

    @Test func stickerHasWhatClientsRead() throws {
        let art = Shelf.Art("wave", "Wave \"hello\"").with {
            $0.keywords = ["hi", "hey"]
            $0.publishedAt = "2026-11-23T22:17:25Z"
        }

        let data = try shelf([art]).get("/v1/stickers/wave").json["data"] as? [String: Any] ?? [:]

        let said = [
            "url", "bitly_url", "bitly_gif_url", "embed_url", "content_url", "source",
            "source_tld", "source_post_url", "username", "analytics_response_payload",
            "is_hidden", "is_indexable", "is_removed", "is_scheduled", "bottle_data",
        ]
        #expect(said.allSatisfy { data[$0] != nil } && data["user"] == nil)
        #expect(data["type"] as? String == "sticker" && data["is_sticker"] as? Int == 1)
        #expect(data["id"] as? String == "wave" && data["title"] as? String == "Wave \"hello\"")
        #expect(data["alt_text"] as? String == "Wave \"hello\"" && data["rating"] as? String == "g")
        #expect(data["tags"] as? [String] == ["hi", "hey"])
        #expect(data["import_datetime"] as? String == "2026-11-23 22:17:25")
        let images = try #require(data["images"] as? [String: [String: String]])
        #expect(images.count == GiphyRendition.all.count)
        #expect(images["original"]?["url"]?.hasPrefix("https://example.org/_/00/0000") == true)
        #expect(images["original"]?["url"]?.hasSuffix(".png") == true)
        #expect(images["original"]?["webp"]?.hasSuffix(".webp") == true)
        #expect(images["original"]?["width"] == "512" && images["original"]?["size"] == "9")
        #expect(images["fixed_width_small"]?["width"] == "144")
        #expect(images["fixed_width_small"]?["webp"] == nil)
    }

    @Test(arguments: [
        ("trending", 200), ("trending?limit=0", 200), ("trending?limit=1000", 200),
        ("trending?offset=999999", 200), ("trending?limit=-1", 400), ("trending?offset=x", 400),
        ("trending?rating=PG", 200), ("trending?rating=y", 200), ("trending?rating=x", 400),
        ("search", 400), ("search?q=", 400), ("search?q=+", 200), ("search?q=!!!", 200),
        ("search?q=\(String(repeating: "a", count: 50))", 200),
        ("search?q=\(String(repeating: "a", count: 51))", 414), ("search?q=%00", 200),
        ("search?q=%EE%80%81", 200), ("search?q=cat&lang=zh-CN&random_id=1&bundle=x", 200),
        ("?ids=wave", 200), ("?ids=", 400), ("", 400), ("/", 404), ("nothing", 404),
        ("wave/more", 404), ("random", 200), ("random?tag=none", 404), ("random?rating=x", 400),
        ("related?gif_id=wave", 200), ("related?gif_id=gone", 404), ("related", 404),
        ("categories", 200), ("categories/cats", 200), ("categories/cats/cats", 200),
        ("categories/cats/dogs", 404), ("categories/dogs/dogs", 404),
        ("categories?rating=x", 400), ("categories/cats/cats?rating=x", 400),
        ("%00", 400), ("%zz", 400),
    ])
    func statusOf(question: String, status: Int) throws {
        let shelf = try shelf([Shelf.Art("wave")])
        let isBare = question.isEmpty || question.hasPrefix("?") || question == "/"

        let reply = shelf.get("/v1/stickers" + (isBare ? "" : "/") + question)

        #expect(reply.status == status)
        let meta = try #require(reply.json["meta"] as? [String: Any])
        #expect(meta["status"] as? Int == status && meta["msg"] is String)
        #expect(meta["response_id"] is String)
        let isOne = reply.json["data"] is [String: Any]
        #expect(reply.json["data"] is [Any] || (status == 200 && isOne))
        #expect(reply.headers["Access-Control-Allow-Origin"] == "*")
    }

    @Test func charactersForPrivateUseFindNothing() throws {
        let reply = try shelf([Shelf.Art("wave")]).get("/v1/stickers/search?q=%EE%80%81")
        #expect((reply.json["data"] as? [Any])?.isEmpty == true)
    }

    @Test(arguments: [
        ("g", ["a", "none"]), ("pg", ["a", "b", "none"]), ("pg-13", ["a", "b", "c", "none"]),
        ("r", ["a", "b", "c", "d", "none"]), ("", ["a", "b", "c", "d", "none"]),
    ])
    func ratingIsACeiling(rating: String, wanted: [String]) throws {
        let shelf = try shelf(
            [("a", "g"), ("b", "pg"), ("c", "pg-13"), ("d", "r"), ("none", "")].map { id, rating in
                Shelf.Art(id, "cat \(id)").with { $0.rating = Rating(rawValue: rating) }
            })

        for question in ["trending?", "search?q=cat&", "categories/cats/cats?"] {
            let reply = shelf.get("/v1/stickers/\(question)rating=\(rating)")

            #expect(reply.dataIDs.sorted() == wanted)
            #expect((reply.json["pagination"] as? [String: Int])?["total_count"] == wanted.count)
        }
    }

    @Test func someAreAskedForByTheirIDs() throws {
        let shelf = try shelf(["wave", "nap", "trending"].map { Shelf.Art($0) })

        #expect(shelf.get("/v1/stickers?ids=nap,gone,%20wave").dataIDs == ["nap", "wave"])
        #expect(shelf.get("/v1/gifs?ids=trending").dataIDs == ["trending"])
        #expect(shelf.get("/v1/gifs/nap").status == 200)
        #expect(shelf.get("/v1/gifs/trending/nap").status == 404)
        let many = (0...100).map { "s\($0)" }.joined(separator: ",")
        #expect(shelf.get("/v1/stickers?ids=\(many)").status == 400)
    }

    @Test(arguments: ["trending", "search?q=wave", "related?gif_id=nap", "categories/cats/cats"])
    func listsAreTheSameBelowGIFs(question: String) throws {
        let shelf = try shelf([Shelf.Art("wave", "a wave"), Shelf.Art("nap", "a nap")])

        let ids = shelf.get("/v1/gifs/\(question)").dataIDs

        #expect(!ids.isEmpty && ids == shelf.get("/v1/stickers/\(question)").dataIDs)
    }

    @Test func relatedOnesHaveAWordInCommon() throws {
        let shelf = try shelf([
            Shelf.Art("nap", "asleep").with { $0.keywords = ["tired"] },
            Shelf.Art("yawn", "tired cat"),
            Shelf.Art("loud", "asleep").with { $0.rating = .restricted },
            Shelf.Art("wave", "hello"),
        ])

        let reply = shelf.get("/v1/stickers/related?gif_id=nap&rating=pg-13")

        #expect(reply.dataIDs == ["yawn"])
        #expect((reply.json["pagination"] as? [String: Int])?["total_count"] == 1)
        #expect(shelf.get("/v1/stickers/related?gif_id=nap&limit=1&offset=1").dataIDs.count == 1)
        #expect(shelf.get("/v1/stickers/related?gif_id=wave").dataIDs.isEmpty)
    }

    @Test func randomOneIsNeverKept() throws {
        let shelf = try shelf((0..<20).map { Shelf.Art("s\($0)") })

        let replies = (0..<40).map { _ in shelf.get("/v1/stickers/random") }

        let ids = replies.compactMap { ($0.json["data"] as? [String: Any])?["id"] as? String }
        #expect(ids.count == 40 && Set(ids).count > 1)
        #expect(replies.allSatisfy { $0.headers["Cache-Control"] == "no-store" })
        #expect(replies.allSatisfy { $0.headers["ETag"] == nil })
    }

    @Test func categoriesLeadToTheirStickers() throws {
        let shelf = try shelf([Shelf.Art("wave"), Shelf.Art("nap")])

        let list = try #require(
            shelf.get("/v1/gifs/categories").json["data"] as? [[String: Any]])
        let name = try #require(list.first?["name_encoded"] as? String)
        let below = shelf.get("/v1/gifs/categories/\(name)").json["data"] as? [[String: Any]]

        #expect(list.count == 1 && list.first?["name"] as? String == "Cats")
        #expect((list.first?["gif"] as? [String: Any])?["id"] as? String == "wave")
        #expect(below?.first?["name_encoded"] as? String == name)
        let second = shelf.get("/v1/gifs/categories/\(name)/\(name)?limit=1&offset=1")
        #expect(second.dataIDs == ["nap"])
    }

    @Test func coverIsOneThatMayBeSeen() throws {
        let shelf = try shelf([
            Shelf.Art("loud").with { $0.rating = .restricted },
            Shelf.Art("odd").with { $0.rating = .fromThirteen },
        ])
        func cover(_ target: String) -> String? {
            let list = shelf.get(target).json["data"] as? [[String: Any]]
            return (list?.first?["gif"] as? [String: Any])?["id"] as? String
        }

        for target in ["/v1/stickers/categories", "/v1/stickers/categories/cats"] {
            #expect(cover(target) == "loud" && cover("\(target)?rating=pg-13") == "odd")
            #expect(cover("\(target)?rating=g") == nil)
        }
    }

    @Test(arguments: ["v1", "v2"])
    func filesOfACategoryWithSuchANameAreThere(name: String) throws {
        let shelf = try Shelf()
        try shelf.publish([name: [Shelf.Art("wave")]])

        #expect(shelf.get("/\(name)/manifest.json").json["identifier"] as? String == name)
        let other = shelf.get("/\(name)/nothing.json")
        #expect(other.status == 404 && other.json["meta"] != nil)
    }

    @Test(arguments: ["/v1/channels/search?q=a", "/v1/trending/searches?api_key=a"])
    func emptyListIsNoFault(target: String) throws {
        let reply = try shelf([Shelf.Art("wave")]).get(target)
        #expect(reply.status == 200 && (reply.json["data"] as? [Any])?.isEmpty == true)
    }

    @Test(arguments: [
        "/v1/emoji", "/v2/emoji", "/v2/emoji/wave/variations", "/v1/text/animate?m=a",
        "/v1/text/search?q=a", "/v1/videos/trending", "/v1/internal/gifs/wave",
    ])
    func othersAreRefusedAsGIPHYDoes(target: String) throws {
        let reply = try shelf([Shelf.Art("wave")]).get(target)
        #expect(reply.status == 404 && (reply.json["data"] as? [Any])?.isEmpty == true)
        #expect((reply.json["message"] as? String)?.contains("ask for stickers") == true)
    }

    @Test func removedStickerIsNotFound() throws {
        let shelf = try shelf([Shelf.Art("wave")])
        try shelf.bury("nap")
        let reply = shelf.get("/v1/stickers/nap")
        #expect(reply.status == 404)
        #expect((reply.json["message"] as? String)?.hasPrefix("the sticker was removed") == true)
    }

    @Test func keyIsMissingOrForbidden() throws {
        let shelf = try shelf([Shelf.Art("wave")], keys: ["one"])
        #expect(shelf.get("/v1/stickers/trending").status == 401)
        #expect(shelf.get("/v1/stickers/trending?api_key=two").status == 403)
        #expect(shelf.get("/v1/stickers/trending?api_key=one").dataIDs == ["wave"])
        #expect(shelf.get("/api/stickers/trending?api_key=two").status == 401)
    }
}

extension Reply {
    /// The ids in an answer of GIPHY's shape.
    fileprivate var dataIDs: [String] {
        (json["data"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? String }
    }
}
