import Testing

@testable import StickerWeb

/// The library as it is offered, while it changes.
struct LibraryViewTests {
    private let shelf: Shelf

    init() throws { shelf = try Shelf() }

    private var offered: [String] { shelf.get("/api/stickers/trending").ids }

    private func art(_ ids: String..., at time: String = "2026-01-01T00:00:00Z") -> [Shelf.Art] {
        ids.map { Shelf.Art($0).with { $0.publishedAt = time } }
    }

    @Test func pinnedComeFirstThenTheNewestThenTheOrderOfTheCategory() throws {
        try shelf.publish([
            "cats": art("c1", "c2", "c3") + art("c9", at: "2026-01-03T00:00:00Z"),
            "dogs": art("d1", at: "2026-01-02T00:00:00Z")
                + art("d0", at: "2020-05-01T00:00:00Z").map { $0.with { $0.pinned = true } },
        ])
        #expect(offered == ["d0", "c9", "d1", "c1", "c2", "c3"])
    }

    @Test func orderIsTheSameForEveryServerHoweverTheLibraryCameToBe() throws {
        try shelf.publish(["cats": art("c1", "c2"), "dogs": art("d1")])
        try shelf.publish(["cats": art("c1", "new", "c2"), "birds": art("b1")])
        try shelf.publish(["dogs": art("d0", "d1")])
        let other = try Shelf()
        try other.publish([
            "dogs": art("d0", "d1"), "birds": art("b1"), "cats": art("c1", "new", "c2"),
        ])
        #expect(offered == other.get("/api/stickers/trending").ids)
        #expect(offered.count == 6)
    }

    @Test func pagesNeitherRepeatNorSkip() throws {
        try shelf.publish(["cats": (1...23).map { Shelf.Art("c\($0)") }])
        var seen: [String] = []
        var hasMore = true
        while hasMore {
            let page = shelf.get("/api/stickers/trending?offset=\(seen.count)&limit=5")
            seen += page.ids
            hasMore = page.json["has_more"] as? Bool ?? false
        }
        #expect(seen == offered && Set(seen).count == 23)
    }

    @Test func changesAreTakenOver() throws {
        try shelf.publish(["cats": [Shelf.Art("c1", "old title"), Shelf.Art("c2")]])
        let before = shelf.library.now.generation
        shelf.library.look()
        #expect(shelf.library.now.generation == before)

        try shelf.publish(["cats": [Shelf.Art("c1", "new title")]])

        #expect(shelf.library.now.generation > before)
        #expect(shelf.get("/api/stickers/search?q=old").ids == [])
        #expect(shelf.get("/api/stickers/search?q=new").ids == ["c1"])
        #expect(offered == ["c1"])
        try shelf.remove("cats")
        #expect(offered == [])
    }

    @Test func stickerThatMovedIsOfferedOnce() throws {
        try shelf.publish(["cats": art("s1", "c1"), "dogs": art("d1")])
        // For a moment, both manifests name it.
        try shelf.publish(["dogs": art("d1", "s1")])
        #expect(offered.sorted() == ["c1", "d1", "s1"])
        try shelf.publish(["cats": art("c1")])
        #expect(offered.sorted() == ["c1", "d1", "s1"])
        let moved = shelf.get("/api/stickers/s1").json["category"] as? String
        #expect(moved == "dogs")
    }

    @Test func whatCannotBeReadIsServedAsItWas() throws {
        try shelf.publish(["cats": art("c1"), "dogs": art("d1")])
        try shelf.write(Array("{".utf8), at: "cats/manifest.json")
        try shelf.publish(["dogs": art("d1", "d2")])
        #expect(offered.sorted() == ["c1", "d1", "d2"])
        #expect(shelf.library.now.trouble != nil)
        #expect(shelf.get("/readyz").status == 200)
        #expect(shelf.get("/readyz").json["trouble"] is String)
        try shelf.publish(["cats": art("c1", "c2")])
        #expect(shelf.library.now.trouble == nil && offered.count == 4)
    }

    @Test func emptyLibraryIsReady() throws {
        #expect(shelf.get("/readyz").status == 503)
        #expect(shelf.get("/api/stickers/trending").status == 503)
        shelf.library.look()
        #expect(shelf.get("/readyz").status == 200)
        #expect(offered == [])
    }
}
