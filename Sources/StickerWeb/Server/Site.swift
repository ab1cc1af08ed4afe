import Logging
import NIOCore
import StickerModel
import StickerSystem
import Synchronization

/// All that can be asked for, and who answers it.
struct Site: Sendable {
    /// The library.
    let library: LibraryView
    private let provider: ProviderRoutes
    private let categories: CategoryRoutes
    private let gallery: Gallery
    private let files: TreeFiles
    private let access: WebAccess
    private let cache = AnswerCache()
    private let metrics: WebMetrics
    private let logger: Logger

    /// Creates the site of what is published in `out`, and found at `addresses`.
    init(
        _ library: LibraryView, out: String, addresses: PublicAddresses, gallery: Gallery,
        access: WebAccess, metrics: WebMetrics, logger: Logger
    ) {
        self.library = library
        self.gallery = gallery
        provider = ProviderRoutes(library: library)
        categories = CategoryRoutes(
            library: library,
            packs: PackRoutes(packs: PackFolder(out: out), addresses: addresses),
            addresses: addresses)
        files = TreeFiles(out: out)
        self.access = access
        self.metrics = metrics
        self.logger = logger
    }

    /// Answers a request, and counts it.
    func answer(_ request: WebRequest) -> Answer {
        let start = ContinuousClock.now
        let answer = answerOrError(request)
        metrics.note(request, answer, took: .now - start)
        return answer
    }

    /// Whatever goes wrong becomes an answer, too.
    private func answerOrError(_ request: WebRequest) -> Answer {
        do {
            guard ["GET", "HEAD"].contains(request.method) else {
                throw WebError(
                    status: 405, message: "\(request.method.prefix(20)) is not answered",
                    remedy: "everything here is read by GET", headers: [("Allow", "GET, HEAD")])
            }
            return try route(request)
        } catch let error as WebError {
            return error.answer(to: request)
        } catch {
            logger.error(
                "a request was not answered",
                metadata: ["detail": "\(error)", "request": "\(request.identifier)"])
            let failure = WebError(
                status: 500, message: "that failed", remedy: "try again; the log says more")
            return failure.answer(to: request)
        }
    }

    private func route(_ request: WebRequest) throws -> Answer {
        guard let path = request.path else {
            throw WebError(
                status: 400, message: "the path cannot be read", remedy: "encode it as UTF-8")
        }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        switch (parts[0], parts.count) {
        case ("", 1): return gallery.page(request)
        case ("_gallery", 2): return try gallery.part(parts[1], request)
        case ("healthz", 1): return .json { $0.text("status", "ok") }
        case ("readyz", 1): return readiness
        case ("metrics", 1):
            try access.checkForMetrics(request)
            return metrics.answer(library)
        case ("api", 2...) where Self.api.contains(parts[1]):
            try access.check(request)
            return try api(parts[1], parts.dropFirst(2), request)
        default: return try files.answer(path, request)
        }
    }

    /// A category may be called `api`, too.
    private static let api: Set = ["stickers", "categories", "events"]

    private func api(
        _ name: String, _ path: ArraySlice<String>, _ request: WebRequest
    ) throws -> Answer {
        switch name {
        case "stickers": try ready(request) { try provider.answer(path, request) }
        // Packs change when no manifest does.
        case "categories" where path.last == "packs":
            try present { try categories.answer(path, request) }
        case "categories": try ready(request) { try categories.answer(path, request) }
        case "events" where path.isEmpty: try events(request)
        default: throw WebError.notFound
        }
    }

    private func events(_ request: WebRequest) throws -> Answer {
        guard let changes = library.changes.listen(client: request.client) else {
            throw WebError(
                status: 503, message: "too many pages are open", remedy: "try again in a minute",
                headers: [("Retry-After", "60")])
        }
        // A server before this one passes each event on at once.
        return Answer(
            200,
            [
                ("Content-Type", "text/event-stream"), ("Cache-Control", "no-store"),
                ("X-Accel-Buffering", "no"), ("Access-Control-Allow-Origin", "*"),
            ], .changes(changes))
    }

    /// What is asked again within a generation is not made again.
    private func ready(_ request: WebRequest, _ make: () throws -> Answer) throws -> Answer {
        try present {
            let now = library.now
            let tag = "\"\(now.mark)\""
            if request.knows(tag) {
                return Answer(304, [("ETag", tag), ("Cache-Control", "no-cache")], .none)
            }
            var answer = try cache.answer(request, now.generation, make)
            answer.headers.append(("ETag", tag))
            return answer
        }
    }

    private func present(_ make: () throws -> Answer) throws -> Answer {
        guard library.now.isReady else {
            throw WebError(
                status: 503, message: "the library is being read", remedy: "try again in a second",
                headers: [("Retry-After", "1")])
        }
        return try make()
    }

    /// Whether everything published has been read.
    private var readiness: Answer {
        let now = library.now
        return .json(now.isReady ? 200 : 503) { json in
            json.flag("ready", now.isReady)
            json.number("generation", now.generation)
            json.number("categories", now.categories.count)
            json.number("stickers", now.stickers)
            if let trouble = now.trouble { json.text("trouble", trouble) }
        }
    }
}
