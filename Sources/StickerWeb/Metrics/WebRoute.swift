/// What a request is for, as far as requests are counted apart: a label of metrics, so that whoever invents paths adds
/// none.
enum WebRoute: String, CaseIterable {
    case gallery, trending, search, sticker, categories, giphy, events, file, manifest, pack, health
    case metrics
    /// Anything else, which mostly is nothing.
    case other

    /// The route of a request.
    init(_ request: WebRequest) {
        guard let path = request.path else {
            self = .other
            return
        }
        self = Self.prefixes.first { path.hasPrefix($0.prefix) }?.route ?? Self.byEnd(of: path)
    }

    /// The first one that fits counts.
    private static let prefixes: [(prefix: String, route: WebRoute)] = [
        ("api/stickers/trending", .trending), ("api/stickers/search", .search),
        ("api/stickers/", .sticker), ("api/categories", .categories), ("api/events", .events),
        ("v1/", .giphy), ("api/openapi.json", .other), ("_/", .file), ("_packs/", .pack),
        ("_gallery/", .gallery),
    ]

    private static func byEnd(of path: String) -> WebRoute {
        switch path {
        case "": .gallery
        case "healthz", "readyz": .health
        case "metrics": .metrics
        default: path.hasSuffix(".json") ? .manifest : .other
        }
    }
}
