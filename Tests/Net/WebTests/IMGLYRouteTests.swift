import StickerValues
import Testing

@testable import StickerWeb

/// The library for IMG.LY's editors, over HTTP.
struct IMGLYRouteTests {
    private func sticker(_ reply: Reply) throws -> [String: Any] {
        #expect(reply.status == 200 && reply.headers["Cache-Control"] == "no-cache")
        return try #require(reply.json["sticker"] as? [String: Any])
    }

    private func categories(_ reply: Reply) throws -> [[String: Any]] {
        try #require(try sticker(reply)["categories"] as? [[String: Any]])
    }

    @Test func smartStickersAreACategoryOfTheEditors() throws {
        let shelf = try Shelf()
        try shelf.publish([
            "cats": [
                Shelf.Art("wave").with { $0.tintMode = .solid },
                Shelf.Art("spin").with { ($0.moves, $0.tintMode) = (true, .solid) },
                Shelf.Art("bare").with { $0.hasCompanion = false },
            ],
            "smart": [Shelf.Art("clock", "Clock").with { $0.styles = ["box", "bold"] }],
        ])

        let reply = shelf.get("/api/imgly")
        let categories = try categories(reply)

        let ids = categories.map { $0["identifier"] as? String }
        #expect(ids == ["imgly_sticker_category_emoticons", "cats"])
        #expect(categories.map { $0["name"] as? String } == ["Smart", "Cats"])
        try #require(categories.count == 2)
        let clock = try #require((categories[0]["items"] as? [[String: Any]])?.first)
        #expect(clock["identifier"] as? String == "clock" && clock["name"] as? String == "Clock")
        let variants = try #require(clock["variants"] as? [[String: String]])
        #expect(variants.map { $0["identifier"] } == ["clock-box", "clock-bold"])
        #expect(variants.map { $0["style"] } == ["box", "bold"])
        let addresses =
            [clock["stickerURI"] as? String, clock["thumbnailURI"] as? String]
            + variants.map { $0["stickerURI"] }
        for address in addresses {
            #expect(address?.hasPrefix("https://example.org/_/") == true)
            #expect(address?.hasSuffix(".png") == true)
        }
        let items = try #require(categories[1]["items"] as? [[String: Any]])
        #expect(items.map { $0["identifier"] as? String } == ["wave", "spin"])
        #expect(items.map { $0["tintMode"] as? String } == ["solid", "none"])
        #expect(items.allSatisfy { $0["adjustments"] as? Bool == false && $0["variants"] == nil })
        let whole = try sticker(reply)
        #expect(whole["personalStickers"] as? Bool == false)
        #expect(whole["defaultPersonalStickerTintMode"] as? String == "none")
    }

    @Test func namesAreThereOnce() throws {
        let shelf = try Shelf()
        try shelf.publish([
            "cats": [Shelf.Art("wave", "Cat"), Shelf.Art("nap", "Cat")],
            "smart": [Shelf.Art("clock").with { $0.styles = [] }],
            "smart_stickers": [Shelf.Art("bark")],
        ])
        let categories = try categories(shelf.get("/api/imgly"))
        #expect(categories.map { $0["name"] as? String } == ["Smart", "Cats", "Smart_Stickers"])
        let items = categories[1]["items"] as? [[String: Any]] ?? []
        #expect(items.map { $0["name"] as? String } == ["Cat", "Cat 2"])
    }

    @Test func someCategoriesAreAskedFor() throws {
        let shelf = try Shelf()
        try shelf.publish(["cats": [Shelf.Art("wave")], "dogs": [Shelf.Art("bark")]])

        let reply = shelf.get("/api/imgly?categories=dogs")

        #expect(try categories(reply).map { $0["identifier"] as? String } == ["dogs"])
        #expect(try categories(shelf.get("/api/imgly?categories=")).count == 2)
        let unknown = shelf.get("/api/imgly?categories=dogs,birds")
        #expect(unknown.status == 404)
        #expect((unknown.json["error"] as? String)?.hasSuffix("no category birds") == true)
        #expect((unknown.json["remedy"] as? String)?.contains("/api/categories") == true)
    }

    @Test func whatIsKnownIsNotSentAgain() throws {
        let shelf = try Shelf()
        try shelf.publish(["cats": [Shelf.Art("wave")]])

        let first = shelf.get("/api/imgly")

        let tag = try #require(first.headers["ETag"])
        #expect(first.headers["Vary"] == "Authorization")
        #expect(shelf.get("/api/imgly", ["if-none-match": tag]).status == 304)
        let theirs = shelf.get(
            "/api/imgly", ["if-none-match": tag, "authorization": "Bearer token"])
        #expect(theirs.status == 200 && theirs.headers["ETag"] == nil)
        #expect(theirs.headers["Cache-Control"] == "no-store")
        try shelf.publish(["cats": [Shelf.Art("wave"), Shelf.Art("nap")]])
        let second = shelf.get("/api/imgly", ["if-none-match": tag])
        #expect(second.status == 200 && second.headers["ETag"] != tag)
        #expect((try categories(second)[0]["items"] as? [Any])?.count == 2)
    }

    @Test func tooManyStickersAreAskedForInParts() throws {
        let shelf = try Shelf()
        try shelf.publish([
            "cats": (0...IMGLYRoutes.stickersMax).map { Shelf.Art("s\($0)") },
            "dogs": [Shelf.Art("bark")],
        ])

        let refused = shelf.get("/api/imgly")

        #expect(refused.status == 400 && refused.json["sticker"] == nil)
        #expect((refused.json["remedy"] as? String)?.contains("categories=ID,ID") == true)
        #expect(try categories(shelf.get("/api/imgly?categories=dogs")).count == 1)
        let large = shelf.get("/api/imgly?categories=cats")
        let remedy = try #require(large.json["remedy"] as? String)
        #expect(large.status == 400 && remedy.contains("stickerctl export cats --for imgly"))
        #expect(!remedy.contains("categories=ID,ID"))
    }

    @Test func stickerTellsItsStyles() throws {
        let shelf = try Shelf()
        try shelf.publish(["smart": [Shelf.Art("clock").with { $0.styles = ["box"] }]])

        let json = shelf.get("/api/stickers/clock").json

        #expect(json["smart"] as? Bool == true)
        let variant = try #require((json["variants"] as? [[String: String]])?.first)
        #expect(variant["style"] == "box" && variant["url"]?.hasSuffix(".png") == true)
        #expect(variant["webp"]?.hasSuffix(".webp") == true)
    }
}
