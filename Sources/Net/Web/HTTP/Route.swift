/// Everything that can be asked for besides published files, by the path under which the OpenAPI document describes it.
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
    case personal = "/api/personal"
    case personalEvents = "/api/personal/events"
    case personalSticker = "/api/personal/{id}"
    case personalFile = "/api/personal/{id}/{file}"
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

    /// Finds what is asked for. GIPHY's clients ask below `v1/gifs` for all that has an id, and unless they are told otherwise.
    ///
    /// - Parameter path: without the slash at its beginning.
    /// - Returns: the first route that fits, and what stands for its names in braces, with a slash between two; `nil` if
    ///   none fits.
    static func of(_ path: String) -> (route: Route, name: String)? {
        var parts = path.split(separator: "/", omittingEmptySubsequences: false)
        if parts.starts(with: ["v1", "gifs"]) { parts[1] = "stickers" }
        for (route, pattern) in patterns where pattern.count == parts.count {
            var name = ""
            let fits = zip(pattern, parts).allSatisfy { wanted, part in
                guard wanted.hasPrefix("{") else { return wanted == part }
                name += name.isEmpty ? String(part) : "/\(part)"
                return !part.isEmpty
            }
            if fits { return (route, name) }
        }
        return nil
    }

    private static let patterns = allCases.map { route in
        (route, route.rawValue.dropFirst().split(separator: "/", omittingEmptySubsequences: false))
    }

    /// Whether a key is asked for, if there are any.
    var isKeyed: Bool {
        switch self {
        case .gallery, .galleryPart, .compose, .composePart: false
        case .health, .readiness, .metrics, .description: false
        // Its users have tokens of their own.
        case .personal, .personalEvents, .personalSticker, .personalFile: false
        default: true
        }
    }

    /// The methods that are answered besides OPTIONS.
    var methods: String {
        switch self {
        case .personal: "GET, HEAD, POST"
        case .personalSticker: "GET, HEAD, DELETE"
        default: Self.reading
        }
    }

    /// The methods of what is only read.
    static let reading = "GET, HEAD"

    /// Whether pages of every origin may read the answer: there is no secret in it, or it takes a token that no browser
    /// sends by itself.
    var isForAllPages: Bool {
        switch self {
        case .gallery, .galleryPart, .compose, .composePart, .metrics: false
        default: true
        }
    }

    /// What an answer is made of.
    enum Source {
        /// What the server knows by itself.
        case server
        /// The library as it was read: it stays the same for a generation.
        case library
        /// Also what changes when no manifest does: files besides it, or chance.
        case changing
    }

    /// What its answer is made of.
    var source: Source {
        switch self {
        case .gallery, .galleryPart, .compose, .composePart: .server
        case .health, .readiness, .metrics, .description, .events: .server
        case .personal, .personalEvents, .personalSticker, .personalFile: .server
        case .categoryPacks, .giphyRandom: .changing
        default: .library
        }
    }
}
