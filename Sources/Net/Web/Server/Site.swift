import Logging
import NIOCore
import StickerConfiguration
import StickerHTTP
import StickerServices
import StickerSystem
import StickerValues
import Synchronization

/// Handles all requests.
struct Site: Sendable {
    let library: LibraryView
    private let provider: ProviderRoutes
    private let categories: CategoryRoutes
    private let giphy: GiphyRoutes
    private let imgly: IMGLYRoutes
    private let gallery: WebPage
    private let compose: WebPage
    private let description: Description
    private let files: TreeFiles
    private let upstreams: Upstreams
    private let upstreamRoutes: UpstreamRoutes
    private let access: WebAccess
    /// Users' own stickers; `nil` if there are none.
    private let uploads: UploadRoutes?
    private let cache = AnswerCache()
    /// Distinguishes configurations that affect answers besides the library.
    private let print: String
    private let metrics: WebMetrics
    private let logger: Logger

    /// Creates the site of the folder `out` with the public `addresses`.
    init(
        _ library: LibraryView, out: String, addresses: PublicAddresses, gallery: WebPage,
        compose: WebPage, upstreams: Upstreams, access: WebAccess,
        uploads: UploadRoutes? = nil, metrics: WebMetrics, logger: Logger
    ) {
        self.library = library
        self.uploads = uploads
        self.gallery = gallery
        self.upstreams = upstreams
        upstreamRoutes = UpstreamRoutes(library: library, upstreams: upstreams)
        self.compose = compose
        provider = ProviderRoutes(library: library)
        categories = CategoryRoutes(
            library: library,
            packs: PackRoutes(packs: PackFolder(out: out), addresses: addresses),
            addresses: addresses, upstreams: upstreams)
        description = Description(addresses)
        giphy = GiphyRoutes(library: library)
        imgly = IMGLYRoutes(library: library, addresses: addresses, uploads: uploads)
        files = TreeFiles(out: out) { library.now.isReady }
        print = [upstreams.print, uploads?.settings.tintMode.rawValue ?? ""]
            .filter { !$0.isEmpty }.map { "-\($0)" }.joined()
        self.access = access
        self.metrics = metrics
        self.logger = logger
    }

    /// Answers a request from this server's data, or lets its body arrive first. May block.
    func reply(to asked: RoutedRequest) -> HTTPService.Reply {
        guard let uploads, asked.route == .uploads, asked.request.method == "POST" else {
            return .answer(answer(asked))
        }
        do {
            let receiver = try uploads.receiver(asked.request)
            return .receive(take: receiver.take) { error in
                counted(asked) {
                    if let error { throw error }
                    return try uploads.put(receiver, asked.request)
                }
            }
        } catch {
            return .answer(refused(asked, error))
        }
    }

    /// Answers a request from this server's data, and counts it.
    func answer(_ asked: RoutedRequest) -> Answer {
        counted(asked) {
            if let preflight = preflight(asked) { return preflight }
            if asked.route?.isUpload == true {
                guard let uploads else { throw WebError.notFound }
                return try uploads.answer(asked)
            }
            try admit(asked)
            return try own(asked)
        }
    }

    /// The same, but upstreams are asked first for their stickers, without holding a thread.
    func answerWithUpstreams(_ asked: RoutedRequest) async -> Answer {
        guard !upstreams.desks.isEmpty else { return answer(asked) }
        let start = ContinuousClock.now
        do {
            var made = preflight(asked)
            if made == nil {
                try admit(asked)
                made = try await upstreamRoutes.answer(asked)
            }
            return counted(asked, since: start) { [made] in try made ?? own(asked) }
        } catch {
            return counted(asked, since: start) { throw error }
        }
    }

    /// Turns every error into an answer, and counts it.
    private func counted(
        _ asked: RoutedRequest, since start: ContinuousClock.Instant = .now,
        _ make: () throws -> Answer
    ) -> Answer {
        let request = asked.request
        var answer: Answer
        do {
            answer = try make()
        } catch let error as WebError {
            answer = refusal(error, request)
        } catch {
            logger.error(
                "a request was not answered",
                metadata: ["detail": "\(error)", "request": "\(request.identifier)"])
            let failure = WebError(
                status: 500, message: "that failed", remedy: "try again; the log says more")
            answer = refusal(failure, request)
        }
        if asked.route?.isForAllPages ?? true { answer.headers += Self.forAllPages }
        let took = ContinuousClock.now - start
        metrics.note(asked, answer, took: took)
        logger.debug(
            "answered",
            metadata: [
                "request": "\(request.identifier)", "method": "\(request.method)",
                // Without the key.
                "path": "\(asked.path)", "status": "\(answer.status)",
                "ms": "\(Int((took / .milliseconds(1)).rounded()))",
            ])
        return answer
    }

    /// The answer to a request that is refused.
    func refused(_ asked: RoutedRequest, _ error: any Error) -> Answer {
        counted(asked) { throw error }
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
    private func preflight(_ asked: RoutedRequest) -> Answer? {
        guard asked.request.method == "OPTIONS" else { return nil }
        let methods = asked.methods
        var headers: [(name: String, value: String)] = [
            ("Allow", "\(methods), OPTIONS"), ("Access-Control-Allow-Methods", methods),
            ("Access-Control-Max-Age", "86400"), ("Vary", "Access-Control-Request-Headers"),
        ]
        let fields = asked.request.header("access-control-request-headers") ?? ""
        if fields.wholeMatch(of: /[!#$%&'*+.^_`|~0-9A-Za-z, -]+/) != nil {
            headers.append(("Access-Control-Allow-Headers", fields))
        }
        return Answer(204, headers, .none)
    }

    /// Refuses requests without permission, or too many.
    private func admit(_ asked: RoutedRequest) throws {
        let request = asked.request
        guard ["GET", "HEAD"].contains(request.method) else {
            throw WebError(
                status: 405, message: "\(request.method.prefix(20)) is not answered",
                remedy: "everything here is read by GET", headers: [("Allow", Route.reading)])
        }
        guard request.path != nil else {
            throw WebError(
                status: 400, message: "the path cannot be read", remedy: "encode it as UTF-8")
        }
        if asked.route?.isKeyed == true { try access.check(request) }
    }

    private func own(_ asked: RoutedRequest) throws -> Answer {
        guard let route = asked.route else { return try file(asked) }
        // An answer for a token is not cached: it contains the user's stickers.
        let isTheirs = route == .imgly && asked.request.header("authorization") != nil
        switch isTheirs ? .changing : route.source {
        case .server: return try answer(route, asked)
        case .changing:
            _ = try read
            return try answer(route, asked)
        case .library: return try present(route, asked)
        }
    }

    /// A published file; a category may be called like the first part of GIPHY's addresses.
    private func file(_ asked: RoutedRequest) throws -> Answer {
        do {
            return try files.answer(asked.path, asked.request)
        } catch let error as WebError
            where error.status == 404 && GiphyRoutes.areAsked(by: asked.request)
        {
            throw GiphyRoutes.unknown
        }
    }

    /// Repeated requests within a generation are answered from the cache, and not sent to clients that have the answer.
    private func present(_ route: Route, _ asked: RoutedRequest) throws -> Answer {
        // Made first: a client cannot have an answer that does not exist or is an error.
        let now = try read
        let request = route == .imgly ? IMGLYRoutes.plain(asked.request) : asked.request
        if let known = cache.answer(to: request, of: now.generation) {
            return tagged(known, now, request)
        }
        let (state, made) =
            route == .imgly
            ? try imgly.catalog(request)
            : try library.reading { (try read, try answer(route, asked)) }
        cache.keep(made, to: request, of: state.generation)
        return tagged(made, state, request)
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

    private func answer(_ route: Route, _ asked: RoutedRequest) throws -> Answer {
        let (request, name) = (asked.request, asked.name)
        return switch route {
        case .gallery: gallery.page(request)
        case .galleryPart: try gallery.part(name, request)
        case .compose: compose.page(request)
        case .composePart: try compose.part(name, request)
        case .health: .json { $0.text("status", "ok") }
        case .readiness: readiness
        case .metrics: try shownMetrics(request)
        case .description: description.answer
        case .events:
            try .events(
                library.changes.listen(client: request.client, share: request.caller.share))
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
        case .giphyCategoryStickers: try giphy.stickers(of: asked.values, request)
        case .giphyChannels, .giphyTrendingWords: try giphy.none(request)
        case .giphyStickers: try giphy.some(request)
        case .giphySticker: try giphy.one(StickerID(rawValue: name))
        case .uploads, .uploadEvents, .upload, .uploadFile: throw WebError.notFound
        }
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
            json.objects("upstreams", troubles) { upstream, json in
                json.text("category", upstream.category.rawValue)
                json.text("trouble", upstream.trouble)
            }
        }
    }
}
