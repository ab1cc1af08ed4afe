import Logging
import StickerConfiguration
import StickerHTTP
import StickerSystem
import StickerValues
import Synchronization

/// The users of tokens. The file of the tokens can change while the server runs.
final class UploadTokens: Sendable {
    private let users: Mutex<[ContentHash: String]>
    private let guesses = Guesses()

    /// - Parameter users: by the hashes of their tokens.
    init(_ users: [ContentHash: String]) { self.users = Mutex(users) }

    /// Reads the file again; with a fault in it, the old tokens stay.
    func reload(_ settings: PersonalConfiguration, credentials: String?, _ logger: Logger) {
        do {
            let read = try settings.checkedTokens(credentials: credentials) ?? [:]
            users.withLock { $0 = read }
            logger.notice("tokens were read", metadata: ["tokens": "\(read.count)"])
        } catch {
            for fault in error.faults {
                logger.error("tokens stay as they were", metadata: ["detail": "\(fault)"])
            }
        }
    }

    /// The delay of a request whose client has sent many wrong tokens.
    func delay(of request: WebRequest) -> Duration {
        request.header("authorization") == nil ? .zero : guesses.delay(of: request.caller)
    }

    /// The user of a request: RFC 6750, section 2.1. Tokens in addresses are not accepted, as logs would contain them.
    ///
    /// - Throws: `WebError` without a token, or with an unknown one.
    func user(_ request: WebRequest) throws -> String {
        let words = (request.header("authorization") ?? "").split(separator: " ")
        if words.count == 2, words[0].lowercased() == "bearer" {
            // Comparing hashes reveals nothing about the token by its timing.
            let hash = ContentHash(of: Array(words[1].utf8))
            if let user = users.withLock({ $0[hash] }) { return user }
            guesses.add(request.caller)
        }
        throw WebError(
            status: 401,
            message: words.isEmpty ? "there is no token" : "the token is not known",
            remedy: "send Authorization: Bearer TOKEN, with the token that the operator gave you",
            headers: [("WWW-Authenticate", "Bearer")])
    }
}
