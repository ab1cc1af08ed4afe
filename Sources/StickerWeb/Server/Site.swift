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
    private let files: TreeFiles
    private let access: WebAccess
    private let cache = AnswerCache()
    private let logger: Logger

    /// Creates the site of what is published in `out`.
    init(_ library: LibraryView, out: String, access: WebAccess, logger: Logger) {
        self.library = library
        provider = ProviderRoutes(library: library)
        files = TreeFiles(out: out)
        self.access = access
        self.logger = logger
    }

    /// Answers a request; whatever goes wrong becomes an answer, too.
    func answer(_ request: WebRequest) -> Answer {
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
        switch parts.prefix(2) {
        case ["healthz"]: return .json { $0.text("status", "ok") }
        case ["readyz"]: return readiness
        case ["api", "stickers"]:
            try access.check(request)
            return try ready(request) { try provider.answer(parts.dropFirst(2), request) }
        default: return try files.answer(path, request)
        }
    }

    /// What is asked again within a generation is not made again.
    private func ready(_ request: WebRequest, _ make: () throws -> Answer) throws -> Answer {
        let now = library.now
        guard now.isReady else {
            throw WebError(
                status: 503, message: "the library is being read", remedy: "try again in a second",
                headers: [("Retry-After", "1")])
        }
        return try cache.answer(request, now.generation, make)
    }

    /// Whether everything published has been read.
    private var readiness: Answer {
        let now = library.now
        return .json(now.isReady ? 200 : 503) { json in
            json.flag("ready", now.isReady)
            json.number("generation", now.generation)
            json.number("categories", now.categories.count)
            json.number("stickers", now.categories.reduce(0) { $0 + $1.stickers })
            if let trouble = now.trouble { json.text("trouble", trouble) }
        }
    }
}
