import Glibc
import StickerSystem

/// Why a folder could not be watched, opened or listed.
public struct WatchError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kind of error; it alone decides the caller's next step.
    public enum Code: Sendable {
        /// The kernel grants no more watches (`ENOSPC` of `inotify_add_watch(2)`): poll instead.
        case watchLimit
        /// The name does not exist, or now names something else.
        case vanished
        /// Missing permissions (`EACCES`, `EPERM`): a `chmod` fixes this.
        case denied
        /// This way of watching is not available in this process.
        case unavailable
        /// Anything else, such as too many open files or a fault of the medium. Retry later.
        case system
    }

    /// The kind of error.
    public var code: Code
    /// The system's error number, or 0.
    public var systemError: Int32
    /// The failed action, for the operator.
    public var detail: String

    /// Creates an error of the kind `code`.
    public init(_ code: Code, systemError: Int32 = 0, detail: String) {
        self.code = code
        self.systemError = systemError
        self.detail = detail
    }

    /// One line: the failed action, and the system's message.
    public var description: String {
        systemError == 0 ? detail : "\(detail): \(SystemCall.message(systemError))"
    }
}

extension WatchError {
    /// Creates an error from a failed system call on a folder or one of its entries, while doing `what`.
    init(_ error: FileError, _ what: String) { self.init(error.errno, what) }

    /// The same for an error number.
    ///
    /// `ELOOP` and `ENOTDIR` count as vanished: a link or a file has taken the folder's place.
    init(_ number: Int32, _ what: String) {
        let code: Code =
            switch number {
            case ENOENT, ENOTDIR, ELOOP: .vanished
            case EACCES, EPERM: .denied
            default: .system
            }
        self.init(code, systemError: number, detail: what)
    }
}
