import Glibc
import StickerSystem

/// Why a folder could not be watched, opened or listed.
public struct WatchError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What the caller does next depends on this alone.
    public enum Code: Sendable {
        /// The kernel grants no more watches (`ENOSPC` of `inotify_add_watch(2)`): poll instead.
        case watchLimit
        /// There is nothing under this name, or something else than before.
        case vanished
        /// Permissions do not suffice (`EACCES`, `EPERM`): a `chmod` heals this.
        case denied
        /// This way of watching is not available in this process.
        case unavailable
        /// Anything else: too many open files, a fault of the medium. Try again later.
        case system
    }

    /// The kind of the fault.
    public var code: Code
    /// The number of the system's error, or 0 if there is none.
    public var systemError: Int32
    /// What was tried, for the operator.
    public var detail: String

    /// Creates an error of the kind `code`.
    public init(_ code: Code, systemError: Int32 = 0, detail: String) {
        self.code = code
        self.systemError = systemError
        self.detail = detail
    }

    /// One line: what was tried, and the system's message.
    public var description: String {
        systemError == 0 ? detail : "\(detail): \(SystemCall.message(systemError))"
    }
}

extension WatchError {
    /// Creates an error from what a system call on a folder, or on an entry of one, reported while trying
    /// `what`.
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
