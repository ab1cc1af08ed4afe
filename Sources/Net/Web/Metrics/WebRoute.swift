/// The kind of a request as a label of metrics; invented paths add none.
enum WebRoute: String, CaseIterable {
    case gallery, compose, trending, search, sticker, categories, giphy, events, file, manifest
    case pack, health, metrics
    case upload = "personal"
    /// Anything else, mostly paths that do not exist.
    case other

    /// The route of a request.
    init(_ asked: RoutedRequest) {
        self = asked.route.map(WebRoute.init) ?? Self.file(asked.path)
    }

    private init(_ route: Route) {
        self =
            switch route {
            case .gallery, .galleryPart: .gallery
            case .compose, .composePart: .compose
            case .health, .readiness: .health
            case .metrics: .metrics
            case .description: .other
            case .events: .events
            case .uploads, .uploadEvents, .upload, .uploadFile: .upload
            case .trending: .trending
            case .search: .search
            case .sticker, .stickerByID: .sticker
            case .categories, .category, .categoryStickers, .categoryManifest, .categoryPacks,
                .imgly:
                .categories
            case .giphyTrending, .giphySearch, .giphyRandom, .giphyRelated, .giphyCategories,
                .giphySubcategories, .giphyCategoryStickers, .giphyChannels, .giphyTrendingWords,
                .giphyStickers, .giphySticker:
                .giphy
            }
    }

    /// Other paths are published files, or do not exist.
    private static func file(_ path: String) -> WebRoute {
        if path.hasPrefix("_/") { return .file }
        if path.hasPrefix("_packs/") { return .pack }
        return path.hasSuffix(".json") ? .manifest : .other
    }
}
