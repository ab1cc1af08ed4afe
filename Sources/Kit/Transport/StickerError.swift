public import Foundation

/// Why there is no sticker, with words for the person who can do something about it.
///
/// Addresses in it have no query, so that no key gets into a log.
public enum StickerError: Error, Hashable, Sendable {
    /// An answer that is no success.
    public struct Refusal: Hashable, Sendable {
        /// The status of HTTP; also 404 for a file that is not on the disk.
        public var status: Int
        /// What is wrong, in the words of the server.
        public var message: String
        /// What to do about it, in the words of the server; absent if it is not a stickerd-web that answers.
        public var remedy: String?
        /// The number of the request, by which the operator of the server finds it.
        public var request: String?
        /// After how many seconds the server asks to be asked again.
        public var retryAfterSeconds: Int?
    }

    /// The sticker was there, and somebody removed it.
    case removed(RemovedSticker)
    /// There was an answer, and it is no.
    case refused(URL, Refusal)
    /// There was no answer.
    case unreachable(URL, URLError.Code)
    /// The answer is not what it should be.
    case unreadable(URL, String)
    /// The manifest has a version that this release of StickerKit does not know.
    case newerVersion(URL, Int)
    /// The file is not the one that its name promises.
    case damaged(URL)
    /// The cache could not be written.
    case storage(URL, String)
    /// The task was cancelled.
    case cancelled
}

extension StickerError: LocalizedError {
    /// What is wrong.
    public var errorDescription: String? {
        switch self {
        case .removed(let sticker): "the sticker \(sticker.title) was removed"
        case .refused(let url, let refusal): "\(url.absoluteString): \(refusal.message)"
        case .unreachable(let url, let code):
            "\(url.absoluteString): no answer (\(URLError(code).localizedDescription))"
        case .unreadable(let url, let detail): "\(url.absoluteString): \(detail)"
        case .newerVersion(let url, let version):
            "\(url.absoluteString): version \(version) of the format is not known"
        case .damaged(let url): "\(url.absoluteString): the content is not what the name promises"
        case .storage(let url, let detail): "\(url.path): \(detail)"
        case .cancelled: "cancelled"
        }
    }

    /// What to do about it.
    public var recoverySuggestion: String? {
        switch self {
        case .removed: "take another one; the id is never given to another picture"
        case .refused(_, let refusal): refusal.remedy
        case .unreachable: "look at the network and the address, then try again"
        case .unreadable: "look whether the address is that of a stickerd"
        case .newerVersion: "update StickerKit"
        case .damaged: "try again; if it stays, the operator of the server has to look"
        case .storage: "look at the space and the permissions of the folder"
        case .cancelled: nil
        }
    }
}
