import GRDB
import StickerConfiguration
import StickerSystem
import StickerValues

/// An operation on the database that failed; nothing was stored.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// How to respond.
    public enum Kind: Sendable {
        /// No room, no permission, a busy database or a failing device: the call can be repeated.
        case passing
        /// The database is damaged; nothing was touched, and repeating the call does not help.
        case damaged
        /// The database and this release do not fit together: the operator has to act.
        case unsuitable
        /// Anything else.
        case other
    }

    /// How to respond.
    public var kind: Kind
    /// One sentence for the operator.
    public var detail: String

    init(_ kind: Kind, _ detail: String) {
        self.kind = kind
        self.detail = detail
    }

    init(_ error: any Error, path: String) {
        guard let error = error as? DatabaseError else {
            // A file that could not be written while the store was read is no fault of the store.
            let detail = error is FileError ? "\(error)" : "\(path): \(error)"
            self = error as? StoreError ?? StoreError(.other, detail)
            return
        }
        self.init(
            Kind(error.resultCode), "\(path): \(error.message ?? "\(error.resultCode)")")
        if kind == .damaged { detail += Self.rebuildHint }
        if error.resultCode == .SQLITE_FULL { detail += "; free some space" }
    }

    static let rebuildHint =
        "; the database is damaged and was left as it is: run \(stickerctl: "rebuild")"

    /// The sentence.
    public var description: String { detail }
}

extension StoreError.Kind {
    fileprivate init(_ code: ResultCode) {
        self =
            switch code {
            case .SQLITE_CORRUPT, .SQLITE_NOTADB: .damaged
            case .SQLITE_FULL, .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_IOERR, .SQLITE_READONLY,
                .SQLITE_CANTOPEN, .SQLITE_PERM:
                .passing
            default: .other
            }
    }
}
