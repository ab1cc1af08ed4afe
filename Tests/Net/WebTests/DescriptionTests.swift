import Foundation
import StickerHTTP
import StickerValues
import Testing

@testable import StickerWeb

/// The OpenAPI document says what the server does.
struct DescriptionTests {
    private let shelf: Shelf
    private let document: [String: Any]
    private let paths: [String: [String: Any]]

    init() throws {
        shelf = try Shelf(base: "https://example.org/stickers/")
        try shelf.publish(["cats": [Shelf.Art("wave")]])
        document = shelf.get("/api/openapi.json").json
        paths = try #require(document["paths"] as? [String: [String: Any]])
    }

    @Test func everyRouteStandsInIt() {
        // The pages are for people.
        let routes = Set(Route.allCases)
            .subtracting([.gallery, .galleryPart, .compose, .composePart])
        #expect(Set(paths.keys) == Set(routes.map(\.rawValue)))
    }

    @Test func everyPathIsAnsweredAsItSays() throws {
        // Those of users are answered to them alone, see UploadRouteTests.
        for (path, item) in paths where !path.hasPrefix("/api/personal") {
            let id = path.contains("categories") ? "cats" : "wave"
            let path = path.replacing("{id}", with: id).replacing("{subcategory}", with: id)
            let target = path + "?q=wave&ids=wave&gif_id=wave"
            let answer = shelf.site.answer(WebRequest("GET", target, client: "127.0.0.1"))

            let operation = try #require(item["get"] as? [String: Any])
            let responses = try #require(operation["responses"] as? [String: Any])
            #expect((200..<400).contains(answer.status), "\(path)")
            #expect(responses["\(answer.status)"] != nil, "\(path)")
        }
    }

    @Test func refusalsStandInIt() throws {
        for route in Route.allCases where route.isKeyed {
            let item = try #require(paths[route.rawValue]?["get"] as? [String: Any])
            let responses = try #require(item["responses"] as? [String: Any])
            #expect(responses["401"] != nil && responses["429"] != nil, "\(route)")
            #expect(responses["503"] != nil, "\(route)")
        }
    }

    @Test func itTellsVersionAndAddress() {
        let info = document["info"] as? [String: Any]
        #expect(info?["version"] as? String == Stickerd.version)
        let servers = document["servers"] as? [[String: String]]
        #expect(servers == [["url": "https://example.org/stickers"]])
    }

    @Test func everyRenditionStandsInIt() throws {
        let components = try #require(document["components"] as? [String: Any])
        let schemas = try #require(components["schemas"] as? [String: [String: Any]])
        let names = schemas["GiphyRenditionName"]?["enum"] as? [String]
        #expect(names?.sorted() == GiphyRendition.all.map(\.name).sorted())
    }

    @Test func firstRouteThatFitsIsTaken() {
        #expect(Route.of("api/stickers/search")?.route == .search)
        #expect(
            Route.of("api/stickers/by-id/search").map { $0 == (.stickerByID, ["search"]) } == true)
        #expect(Route.of("api/stickers/by-id").map { $0 == (.sticker, ["by-id"]) } == true)
        #expect(Route.of("v1/gifs/wave").map { $0 == (.giphySticker, ["wave"]) } == true)
        #expect(Route.of("v1/gifs")?.route == .giphyStickers)
        #expect(Route.of("")?.route == .gallery)
        for path in ["api/stickers/", "api", "api/stickers/a/b", "v1/stickers//", "healthz/"] {
            #expect(Route.of(path) == nil, "\(path)")
        }
    }
}
