import StickerHTTP

/// All requests except for published files, by their path in the OpenAPI document.
enum Route: String, CaseIterable, Sendable {
    case gallery = "/"
    case galleryPart = "/_gallery/{name}"
    case compose = "/compose"
    case composePart = "/_compose/{name}"
    case health = "/healthz"
    case readiness = "/readyz"
    case metrics = "/metrics"
    case description = "/api/openapi.json"
    case events = "/api/events"
    case trending = "/api/stickers/trending"
    case search = "/api/stickers/search"
    case sticker = "/api/stickers/{id}"
    case stickerByID = "/api/stickers/by-id/{id}"
    case categories = "/api/categories"
    case category = "/api/categories/{id}"
    case categoryStickers = "/api/categories/{id}/stickers"
    case categoryManifest = "/api/categories/{id}/manifest"
    case categoryPacks = "/api/categories/{id}/packs"
    case imgly = "/api/imgly"
    case uploads = "/api/personal"
    case uploadEvents = "/api/personal/events"
    case upload = "/api/personal/{id}"
    case uploadFile = "/api/personal/{id}/{file}"
    case giphyTrending = "/v1/stickers/trending"
    case giphySearch = "/v1/stickers/search"
    case giphyRandom = "/v1/stickers/random"
    case giphyRelated = "/v1/stickers/related"
    case giphyCategories = "/v1/stickers/categories"
    case giphySubcategories = "/v1/stickers/categories/{id}"
    case giphyCategoryStickers = "/v1/stickers/categories/{id}/{subcategory}"
    case giphyChannels = "/v1/channels/search"
    case giphyTrendingWords = "/v1/trending/searches"
    case giphyStickers = "/v1/stickers"
    case giphySticker = "/v1/stickers/{id}"

    /// Finds the route. GIPHY's clients request everything with an id below `v1/gifs`, also by default.
    ///
    /// - Parameter path: without the leading slash.
    /// - Returns: the first matching route, and the values of its names in braces; `nil` if none matches.
    static func of(_ path: String) -> (route: Route, values: [String])? {
        let isOfGIFs = path == "v1/gifs" || path.hasPrefix("v1/gifs/")
        return table.match(isOfGIFs ? "v1/stickers" + path.dropFirst(7) : path)
    }

    private static let table = RouteTable<Route>()

    /// Whether the answer may wait for the disk with users' stickers.
    var mayBlock: Bool { isUpload || self == .imgly }

    /// Whether it is about users' own stickers.
    var isUpload: Bool {
        switch self {
        case .uploads, .uploadEvents, .upload, .uploadFile: true
        default: false
        }
    }

    /// Whether a key is required, if any are configured.
    var isKeyed: Bool {
        switch self {
        case .gallery, .galleryPart, .compose, .composePart: false
        case .health, .readiness, .metrics, .description: false
        // Users have separate tokens.
        default: !isUpload
        }
    }

    /// The accepted methods besides OPTIONS.
    var methods: String {
        switch self {
        case .uploads: "GET, HEAD, POST"
        case .upload: "GET, HEAD, DELETE"
        default: Self.reading
        }
    }

    /// The methods of read-only routes.
    static let reading = "GET, HEAD"

    /// Whether pages of every origin may read the answer: it contains no secret, or requires a token that no browser
    /// sends by itself.
    var isForAllPages: Bool {
        switch self {
        case .gallery, .galleryPart, .compose, .composePart, .metrics: false
        default: true
        }
    }

    /// The source of an answer.
    enum Source {
        /// The server itself.
        case server
        /// The library: the answer is the same for a generation.
        case library
        /// Also things that change without a manifest: other files, or chance.
        case changing
    }

    /// The source of its answer.
    var source: Source {
        switch self {
        case .gallery, .galleryPart, .compose, .composePart: .server
        case .health, .readiness, .metrics, .description, .events: .server
        case .uploads, .uploadEvents, .upload, .uploadFile: .server
        case .categoryPacks, .giphyRandom: .changing
        default: .library
        }
    }
}
