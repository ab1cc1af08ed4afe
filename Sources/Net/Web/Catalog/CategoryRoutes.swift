import StickerConfiguration
import StickerHTTP
import StickerServices
import StickerValues

/// The categories, their stickers, and their packs.
struct CategoryRoutes: Sendable {
    let library: LibraryView
    let packs: PackRoutes
    let addresses: PublicAddresses
    let upstreams: Upstreams

    /// An entry of the list.
    private enum Listed {
        case own(CategoryFacts)
        case upstream(UpstreamConfiguration)
    }

    /// All categories: ours, then those of upstreams.
    func list(_ request: WebRequest) throws -> Answer {
        let now = library.now
        let theirs = upstreams.shown(beside: now).map { Listed.upstream($0.upstream) }
        let part = try Paging(request).part(of: now.categories.map(Listed.own) + theirs)
        return .json { json in
            json.objects("categories", part.elements) { describe($0, &$1) }
            json.flag("has_more", part.hasMore)
        }
    }

    func one(_ id: CategoryID) throws -> Answer {
        if let desk = upstreams.shown(id.rawValue, beside: library.now) {
            return .json { describe(.upstream(desk.upstream), &$0) }
        }
        let category = try library.now.category(id)
        return .json { describe(category, &$0) }
    }

    /// Its stickers, in order.
    func stickers(of id: CategoryID, _ request: WebRequest) throws -> Answer {
        let category = try library.now.category(id)
        // Ours have no rating limit here, but an invalid rating is refused everywhere.
        _ = try Rating.ceiling(of: request)
        let part = try Paging(request).part(of: category.stickers)
        let bodies = try library.index.some(part.elements, .asked(by: request))
        return .images(SearchIndex.Page(bodies: bodies, hasMore: part.hasMore))
    }

    /// The manifest of a category. Manifests and their pages refer to one another by relative addresses, which stay
    /// right behind any proxy prefix.
    func manifest(of id: CategoryID) throws -> Answer {
        _ = try library.now.category(id)
        return Answer(
            307, [("Location", "../../../\(id)/manifest.json"), ("Cache-Control", "no-cache")],
            .none)
    }

    func packs(of id: CategoryID) throws -> Answer { try packs.answer(library.now.category(id)) }

    private func describe(_ listed: Listed, _ json: inout JSONWriter) {
        switch listed {
        case .own(let category): describe(category, &json)
        case .upstream(let upstream): UpstreamWording.write(upstream, addresses, &json)
        }
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
        json.objects("packs", category.platforms) { pack, json in
            json.text("platform", pack.platform.rawValue)
            json.flag("ready", pack.readiness.ready)
        }
    }
}

extension CategoryFacts {
    /// The state of its packs, in the usual order of platforms.
    var platforms: [(platform: PackPlatform, readiness: Readiness)] {
        PackPlatform.allCases.compactMap { platform in readiness[platform].map { (platform, $0) } }
    }
}
