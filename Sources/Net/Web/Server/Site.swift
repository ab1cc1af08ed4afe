import Logging
import NIOCore
import StickerHTTP
import StickerModel
import StickerServices
import StickerSystem
import Synchronization

/// Handles all requests.
struct Site: Sendable {
    let library: LibraryView
    private let provider: ProviderRoutes
    private let categories: CategoryRoutes
    private let giphy: GiphyRoutes
    private let imgly: IMGLYRoutes
    private let gallery: Gallery
    private let compose: Compose
    private let description: Description
    private let files: TreeFiles
    private let upstreams: Upstreams
    private let others: UpstreamRoutes
    private let access: WebAccess
    /// Users' own stickers; `nil` if there are none.
    private let personal: PersonalRoutes?
    private let cache = AnswerCache()
    /// Distinguishes configurations that affect answers besides the library.
    private let print: String
    private let metrics: WebMetrics
    private let logger: Logger

    /// Creates the site of the folder `out` with the public `addresses`.
    init(
        _ library: LibraryView, out: String, addresses: PublicAddresses, gallery: Gallery,
        compose: Compose, upstreams: Upstreams, access: WebAccess,
        personal: PersonalRoutes? = nil, metrics: WebMetrics, logger: Logger
    ) {
        self.library = library
        self.personal = personal
        self.gallery = gallery
        self.upstreams = upstreams
        others = UpstreamRoutes(library: library, upstreams: upstreams)
        self.compose = compose
        provider = ProviderRoutes(library: library)
        categories = CategoryRoutes(
            library: library,
            packs: PackRoutes(packs: PackFolder(out: out), addresses: addresses),
            addresses: addresses, upstreams: upstreams)
        description = Description(addresses)
        giphy = GiphyRoutes(library: library)
        imgly = IMGLYRoutes(library: library, addresses: addresses, personal: personal)
        files = TreeFiles(out: out) { library.now.isReady }
        print = [upstreams.print, personal?.settings.tintMode.rawValue ?? ""]
            .filter { !$0.isEmpty }.map { "-\($0)" }.joined()
        self.access = access
        self.metrics = metrics
        self.logger = logger
    }

    /// A request that may be answered.
    private struct Admitted {
        let path: String
        /// `nil` if it is for a file.
        let route: (route: Route, name: String)?
    }

    /// Answers a request from this server's data, and counts it.
    func answer(_ request: WebRequest) -> Answer {
        let start = ContinuousClock.now
        return counted(
            request, since: start,
            Result {
                try preflight(request) ?? users(request) ?? own(try admitted(request), request)
            })
    }

    /// Whether the answer waits for the disk with users' stickers.
    func blocks(_ request: WebRequest) -> Bool {
        request.path.flatMap(Route.of).map {
            PersonalRoutes.has($0.route) || $0.route == .imgly
        } == true
    }

    /// Users' own stickers; `nil` if the request is not about them.
    private func users(_ request: WebRequest) throws -> Answer? {
        guard let (route, name) = request.path.flatMap(Route.of), PersonalRoutes.has(route) else {
            return nil
        }
        guard let personal else { throw WebError.notFound }
        return try personal.answer(route, name, request)
    }

    /// The same, but upstreams are asked first for their stickers, without holding a thread.
    func answerWithOthers(_ request: WebRequest) async -> Answer {
        guard !upstreams.desks.isEmpty else { return answer(request) }
        let start = ContinuousClock.now
        let result: Result<Answer, any Error>
        do {
            result = .success(try await answerOrOthers(request))
        } catch {
            result = .failure(error)
        }
        return counted(request, since: start, result)
    }

    private func answerOrOthers(_ request: WebRequest) async throws -> Answer {
        if let preflight = preflight(request) { return preflight }
        let admitted = try admitted(request)
        return try await foreign(admitted, request) ?? own(admitted, request)
    }

    private func foreign(_ admitted: Admitted, _ request: WebRequest) async throws -> Answer? {
        guard let (route, name) = admitted.route else { return nil }
        return try await others.answer(route, name, request)
    }

    /// Turns every error into an answer, and counts it.
    private func counted(
        _ request: WebRequest, since start: ContinuousClock.Instant,
        _ result: Result<Answer, any Error>
    ) -> Answer {
        var answer: Answer
        switch result {
        case .success(let made): answer = made
        case .failure(let error as WebError): answer = refusal(error, request)
        case .failure(let error):
            logger.error(
                "a request was not answered",
                metadata: ["detail": "\(error)", "request": "\(request.identifier)"])
            let failure = WebError(
                status: 500, message: "that failed", remedy: "try again; the log says more")
            answer = refusal(failure, request)
        }
        if request.path.flatMap(Route.of)?.route.isForAllPages ?? true {
            answer.headers += Self.forAllPages
        }
        let took = ContinuousClock.now - start
        metrics.note(request, answer, took: took)
        logger.debug(
            "answered",
            metadata: [
                "request": "\(request.identifier)", "method": "\(request.method)",
                // Without the key.
                "path": "\(request.path ?? "")", "status": "\(answer.status)",
                "ms": "\(Int((took / .milliseconds(1)).rounded()))",
            ])
        return answer
    }

    /// The receiver of a request's body; `nil` if there is none.
    ///
    /// - Throws: `WebError` if it is refused.
    func receiver(_ request: WebRequest) throws -> (any BodyReceiver)? {
        try personal?.receiver(request)
    }

    /// The answer to a request whose body is refused.
    func refused(_ request: WebRequest, _ error: WebError) -> Answer {
        counted(request, since: .now, .failure(error))
    }

    private func refusal(_ error: WebError, _ request: WebRequest) -> Answer {
        if GiphyRoutes.areAsked(by: request) { return .giphy(error, to: request) }
        return ErrorPage.isWanted(by: request)
            ? ErrorPage.answer(error) : error.answer(to: request)
    }

    /// Lets pages of other origins read an answer (https://fetch.spec.whatwg.org/#http-cors-protocol).
    private static let forAllPages = [
        (name: "Access-Control-Allow-Origin", value: "*"),
        ("Access-Control-Expose-Headers", "ETag, Age, Retry-After, Content-Range"),
    ]

    /// Answers a browser's preflight request for a page of another origin; `nil` for any other request. Further header
    /// fields do no harm.
    private func preflight(_ request: WebRequest) -> Answer? {
        guard request.method == "OPTIONS" else { return nil }
        let methods = request.path.flatMap(Route.of)?.route.methods ?? Route.reading
        var headers: [(name: String, value: String)] = [
            ("Allow", "\(methods), OPTIONS"), ("Access-Control-Allow-Methods", methods),
            ("Access-Control-Max-Age", "86400"), ("Vary", "Access-Control-Request-Headers"),
        ]
        let asked = request.header("access-control-request-headers") ?? ""
        if asked.wholeMatch(of: /[!#$%&'*+.^_`|~0-9A-Za-z, -]+/) != nil {
            headers.append(("Access-Control-Allow-Headers", asked))
        }
        return Answer(204, headers, .none)
    }

    /// Refuses requests without permission, or too many.
    private func admitted(_ request: WebRequest) throws -> Admitted {
        guard ["GET", "HEAD"].contains(request.method) else {
            throw WebError(
                status: 405, message: "\(request.method.prefix(20)) is not answered",
                remedy: "everything here is read by GET", headers: [("Allow", Route.reading)])
        }
        guard let path = request.path else {
            throw WebError(
                status: 400, message: "the path cannot be read", remedy: "encode it as UTF-8")
        }
        let found = Route.of(path)
        if found?.route.isKeyed == true { try access.check(request) }
        return Admitted(path: path, route: found)
    }

    private func own(_ admitted: Admitted, _ request: WebRequest) throws -> Answer {
        guard let (route, name) = admitted.route else {
            return try file(admitted.path, request)
        }
        // An answer for a token is not cached: it contains the user's stickers.
        let isTheirs = route == .imgly && request.header("authorization") != nil
        switch isTheirs ? .changing : route.source {
        case .server: return try answer(route, name, request)
        case .changing:
            _ = try read
            return try answer(route, name, request)
        case .library: return try present(route, name, request)
        }
    }

    /// A published file; a category may be called like the first part of GIPHY's addresses.
    private func file(_ path: String, _ request: WebRequest) throws -> Answer {
        do {
            return try files.answer(path, request)
        } catch let error as WebError
            where error.status == 404 && GiphyRoutes.areAsked(by: request)
        {
            throw GiphyRoutes.unknown
        }
    }

    /// Repeated requests within a generation are answered from the cache, and not sent to clients that have the answer.
    private func present(_ route: Route, _ name: String, _ request: WebRequest) throws -> Answer {
        // Made first: a client cannot have an answer that does not exist or is an error.
        let now = try read
        let request = route == .imgly ? IMGLYRoutes.plain(request) : request
        if let known = cache.answer(to: request, of: now.generation) {
            return tagged(known, now, request)
        }
        let (state, made) = try made(route, name, request)
        cache.keep(made, to: request, of: state.generation)
        return tagged(made, state, request)
    }

    /// The answer, and its state of the library.
    private func made(
        _ route: Route, _ name: String, _ request: WebRequest
    ) throws -> (LibraryView.Facts, Answer) {
        if route == .imgly { return try imgly.catalog(request) }
        return try library.reading { (try read, try answer(route, name, request)) }
    }

    private func tagged(
        _ answer: Answer, _ now: LibraryView.Facts, _ request: WebRequest
    ) -> Answer {
        // Upstreams' categories appear in some of the answers, and depend on the configuration.
        let tag = "\"\(now.mark)\(print)\""
        var present = answer
        if request.knows(tag) {
            return Answer(304, [("ETag", tag), ("Cache-Control", "no-cache")], .none)
        }
        present.headers.append(("ETag", tag))
        return present
    }

    private func answer(_ route: Route, _ name: String, _ request: WebRequest) throws -> Answer {
        switch route {
        case .gallery: gallery.page(request)
        case .galleryPart: try gallery.part(name, request)
        case .compose: compose.page(request)
        case .composePart: try compose.part(name, request)
        case .health: .json { $0.text("status", "ok") }
        case .readiness: readiness
        case .metrics: try shownMetrics(request)
        case .description: description.answer
        case .events: try events(request)
        case .trending: try provider.trending(request)
        case .search: try provider.search(request)
        case .sticker, .stickerByID: try provider.one(StickerID(rawValue: name), request)
        case .categories: try categories.list(request)
        case .category: try categories.one(CategoryID(rawValue: name))
        case .categoryStickers: try categories.stickers(of: CategoryID(rawValue: name), request)
        case .categoryManifest: try categories.manifest(of: CategoryID(rawValue: name))
        case .categoryPacks: try categories.packs(of: CategoryID(rawValue: name))
        case .imgly: try imgly.catalog(request).answer
        case .giphyTrending: try giphy.trending(request)
        case .giphySearch: try giphy.search(request)
        case .giphyRandom: try giphy.random(request)
        case .giphyRelated: try giphy.related(request)
        case .giphyCategories: try giphy.categories(request)
        case .giphySubcategories: try giphy.subcategories(of: CategoryID(rawValue: name), request)
        case .giphyCategoryStickers: try giphy.stickers(ofCategory: name, request)
        case .giphyChannels, .giphyTrendingWords: try giphy.none(request)
        case .giphyStickers: try giphy.some(request)
        case .giphySticker: try giphy.one(StickerID(rawValue: name))
        case .personal, .personalEvents, .personalSticker, .personalFile: throw WebError.notFound
        }
    }

    private func events(_ request: WebRequest) throws -> Answer {
        let changes = library.changes.listen(
            client: request.client, share: request.caller.share)
        guard let changes else {
            throw WebError(
                status: 503, message: "too many pages are open", remedy: "try again in a minute",
                headers: [("Retry-After", "60")])
        }
        // A proxy must pass each event on at once.
        return Answer(
            200,
            [
                ("Content-Type", "text/event-stream"), ("Cache-Control", "no-store"),
                ("X-Accel-Buffering", "no"),
            ], .changes(changes))
    }

    private func shownMetrics(_ request: WebRequest) throws -> Answer {
        try access.checkForMetrics(request)
        let troubled = Set(upstreams.troubles(beside: library.now).map(\.category))
        let all = upstreams.desks.map(\.upstream.identifier)
        return metrics.answer(
            library,
            troubles: Dictionary(uniqueKeysWithValues: all.map { ($0, troubled.contains($0)) }))
    }

    /// The library, once it has been read.
    private var read: LibraryView.Facts {
        get throws {
            let now = library.now
            guard !now.isReady else { return now }
            throw now.trouble == nil
                ? WebError(
                    status: 503, message: "the library is being read",
                    remedy: "try again in a second", headers: [("Retry-After", "1")])
                : WebError(
                    status: 503, message: "the library cannot be read",
                    remedy: "the operator sees the cause at /readyz",
                    headers: [("Retry-After", "5")])
        }
    }

    /// Whether all published files have been read.
    private var readiness: Answer {
        let now = library.now
        return .json(now.isReady ? 200 : 503) { json in
            json.flag("ready", now.isReady)
            json.number("generation", now.generation)
            json.number("categories", now.categories.count)
            json.number("stickers", now.stickers)
            if let trouble = now.trouble { json.text("trouble", trouble) }
            let troubles = upstreams.troubles(beside: now)
            guard !troubles.isEmpty else { return }
            json.list("upstreams") { json in
                for (category, trouble) in troubles {
                    json.object { json in
                        json.text("category", category.rawValue)
                        json.text("trouble", trouble)
                    }
                }
            }
        }
    }
}
