import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Loads bytes from the network or from the disk.
struct Transport: Sendable {
    /// The answer at an address.
    struct Reply {
        var status: Int
        var data: Data
        var retryAfterSeconds: Int?
    }

    let session: URLSession

    /// The bytes at an address. By default the server is always asked, if only to validate a cached copy: some servers
    /// do not say how long that is valid, and a cache guesses.
    func bytes(
        at url: URL, _ policy: URLRequest.CachePolicy = .reloadRevalidatingCacheData
    ) async throws(StickerError) -> Data {
        let reply = try await reply(to: url, policy)
        guard reply.status == 200 else { throw reply.refusal(of: url) }
        return reply.data
    }

    /// Any answer, successful or not.
    func reply(
        to url: URL, _ policy: URLRequest.CachePolicy = .reloadRevalidatingCacheData
    ) async throws(StickerError) -> Reply {
        if url.isFileURL { return try Self.file(url) }
        do {
            let request = URLRequest(url: url, cachePolicy: policy)
            let (data, response) = try await session.data(for: request)
            guard let response = response as? HTTPURLResponse else {
                throw StickerError.unreadable(url.withoutQuery, "the answer is not HTTP")
            }
            let pause = response.value(forHTTPHeaderField: "Retry-After")
            return Reply(
                status: response.statusCode, data: data,
                retryAfterSeconds: pause.flatMap { Int($0) })
        } catch {
            throw StickerError(error, at: url)
        }
    }

    /// URLSession reads no files on Linux.
    private static func file(_ url: URL) throws(StickerError) -> Reply {
        do {
            return Reply(status: 200, data: try Data(contentsOf: url))
        } catch CocoaError.fileReadNoSuchFile, CocoaError.fileNoSuchFile {
            return Reply(status: 404, data: Data())
        } catch {
            throw .unreadable(url, error.localizedDescription)
        }
    }
}

extension StickerError {
    fileprivate init(_ error: any Error, at url: URL) {
        switch error {
        case let error as StickerError: self = error
        case is CancellationError: self = .cancelled
        case let error as URLError where error.code == .cancelled: self = .cancelled
        case let error as URLError: self = .unreachable(url.withoutQuery, error.code)
        default: self = .unreadable(url.withoutQuery, error.localizedDescription)
        }
    }
}

extension Transport.Reply {
    /// An error of stickerd-web.
    private struct Body: Decodable {
        var error: String
        var remedy: String?
        var request: String?
    }

    /// The refusal in this answer.
    func refusal(of url: URL) -> StickerError {
        // Other servers answer with pages for people; then only the status is used.
        let body = try? JSONDecoder().decode(Body.self, from: data)
        let message = body?.error ?? HTTPURLResponse.localizedString(forStatusCode: status)
        return .refused(
            url.withoutQuery,
            StickerError.Refusal(
                status: status, message: message, remedy: body?.remedy, request: body?.request,
                retryAfterSeconds: retryAfterSeconds))
    }
}

extension URL {
    /// A query may contain a key.
    var withoutQuery: URL {
        var parts = URLComponents(url: self, resolvingAgainstBaseURL: true)
        parts?.query = nil
        return parts?.url ?? self
    }
}
