public import Foundation

/// Why there is no sticker, with words for the person who can fix it.
///
/// Its addresses have no query, so that no key gets into a log.
public enum StickerError: Error, Hashable, Sendable {
    /// An answer without success.
    public struct Refusal: Hashable, Sendable {
        /// The HTTP status; also 404 for a missing file.
        public var status: Int
        /// The problem, in the words of the server.
        public var message: String
        /// The remedy, in the words of the server; absent unless a stickerd-web answers.
        public var remedy: String?
        /// The number of the request, for the operator of the server.
        public var request: String?
        /// How many seconds the server asks to wait.
        public var retryAfterSeconds: Int?
    }

    /// The sticker was removed.
    case removed(RemovedSticker)
    /// The server refused.
    case refused(URL, Refusal)
    /// There was no answer.
    case unreachable(URL, URLError.Code)
    /// The answer is invalid.
    case unreadable(URL, String)
    /// The manifest has a version that this release of StickerKit does not know.
    case newerVersion(URL, Int)
    /// The file does not match its name.
    case damaged(URL)
    /// The cache could not be written.
    case storage(URL, String)
    /// The task was cancelled.
    case cancelled
}

extension StickerError: LocalizedError {
    /// The problem.
    public var errorDescription: String? {
        switch self {
        case .removed(let sticker): "the sticker \(sticker.title) was removed"
        case .refused(let url, let refusal): "\(url.absoluteString): \(refusal.message)"
        case .unreachable(let url, let code):
            "\(url.absoluteString): no answer (\(URLError(code).localizedDescription))"
        case .unreadable(let url, let detail): "\(url.absoluteString): \(detail)"
        case .newerVersion(let url, let version):
            "\(url.absoluteString): version \(version) of the format is not supported"
        case .damaged(let url): "\(url.absoluteString): the content does not match the name"
        case .storage(let url, let detail): "\(url.path): \(detail)"
        case .cancelled: "cancelled"
        }
    }

    /// The remedy.
    public var recoverySuggestion: String? {
        switch self {
        case .removed: "take another one; the id is never given to another picture"
        case .refused(_, let refusal): refusal.remedy
        case .unreachable: "check the network and the address, then try again"
        case .unreadable: "check that the address is that of a stickerd"
        case .newerVersion: "update StickerKit"
        case .damaged: "try again; if that does not help, tell the operator of the server"
        case .storage: "check the free space and the permissions of the folder"
        case .cancelled: nil
        }
    }
}
