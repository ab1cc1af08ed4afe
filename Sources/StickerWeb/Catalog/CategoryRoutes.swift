import NIOCore
import StickerModel

/// The categories, what is in them, and their packs.
struct CategoryRoutes: Sendable {
    let library: LibraryView
    let packs: PackRoutes
    let addresses: PublicAddresses

    /// Answers what stands behind `/api/categories`.
    func answer(_ path: ArraySlice<String>, _ request: WebRequest) throws -> Answer {
        guard let name = path.first else { return try list(request) }
        let id = CategoryID(rawValue: name)
        guard let category = library.now.categories.first(where: { $0.identifier == id }) else {
            throw WebError.notFound
        }
        switch (path.dropFirst().first, path.count) {
        case (nil, 1): return .json { describe(category, &$0) }
        case ("stickers", 2): return try stickers(of: category, request)
        case ("packs", 2): return packs.answer(category)
        case ("manifest", 2): return manifest(of: id)
        default: throw WebError.notFound
        }
    }

    private func list(_ request: WebRequest) throws -> Answer {
        let part = try Paging(request).part(of: library.now.categories)
        return .json { json in
            json.list("categories") { json in
                for category in part.elements { json.object { describe(category, &$0) } }
            }
            json.flag("has_more", part.hasMore)
        }
    }

    private func stickers(of category: CategoryFacts, _ request: WebRequest) throws -> Answer {
        let part = try Paging(request).part(of: category.stickers)
        let bodies = try library.index.some(part.elements, .asked(by: request))
        return .images(SearchIndex.Page(bodies: bodies, hasMore: part.hasMore))
    }

    /// A manifest and its pages name one another from where they lie. The way there is relative, so that it is right
    /// whatever stands before this server.
    private func manifest(of category: CategoryID) -> Answer {
        Answer(
            307,
            [("Location", "../../../\(category)/manifest.json"), ("Cache-Control", "no-cache")],
            .bytes(ByteBuffer()))
    }

    private func describe(_ category: CategoryFacts, _ json: inout JSONWriter) {
        let id = category.identifier
        json.text("id", id.rawValue)
        json.text("title", category.title)
        if let text = category.description { json.text("description", text) }
        if let name = category.publisher { json.text("publisher", name) }
        if let terms = category.licence { json.text("licence", terms) }
        json.number("generation", category.generation)
        json.number("stickers", category.stickers.count)
        json.number("animated", category.animated)
        if let url = category.imageURL { json.text("imageURL", addresses.file(url, of: id)) }
        if let url = category.trayURL { json.text("thumbnail", addresses.file(url, of: id)) }
        json.text("manifestURL", addresses.file("\(id)/manifest.json"))
        json.text("stickersURL", "\(addresses.base)api/categories/\(id)/stickers")
        json.text("packsURL", "\(addresses.base)api/categories/\(id)/packs")
        json.list("packs") { json in
            for (platform, readiness) in category.platforms {
                json.object { json in
                    json.text("platform", platform.rawValue)
                    json.flag("ready", readiness.ready)
                }
            }
        }
    }
}

extension CategoryFacts {
    /// How it is doing as packs, in the order in which platforms are listed everywhere.
    var platforms: [(PackPlatform, Readiness)] {
        PackPlatform.allCases.compactMap { platform in readiness[platform].map { (platform, $0) } }
    }
}
