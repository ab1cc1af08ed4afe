import GRDB

/// An operation on the database that failed; nothing of it was stored.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What to do about it.
    public enum Kind: Sendable {
        /// The disk is full: wait for room and repeat.
        case noSpace
        /// Another process kept the database busy for too long: repeat.
        case busy
        /// The device failed: leave the process, its recovery decides.
        case io
        /// No permission, or mounted read-only.
        case readOnly
        /// Not a database any more; nothing was touched.
        case damaged
        /// Written by a newer stickerd.
        case tooNew
        /// Anything else.
        case other
    }

    /// What to do about it.
    public var kind: Kind
    /// One sentence for the operator.
    public var detail: String

    init(_ kind: Kind, _ detail: String) {
        self.kind = kind
        self.detail = detail
    }

    init(_ error: any Error, path: String) {
        guard let error = error as? DatabaseError else {
            self = error as? StoreError ?? StoreError(.other, "\(path): \(error)")
            return
        }
        self.init(
            Kind(error.extendedResultCode), "\(path): \(error.message ?? "\(error.resultCode)")")
        if kind == .damaged { detail += Self.rebuildHint }
    }

    static let rebuildHint =
        "; the database is damaged and was left as it is: run stickerctl rebuild"

    /// The sentence.
    public var description: String { detail }
}

extension StoreError.Kind {
    fileprivate init(_ code: ResultCode) {
        // The index of the log could not grow: the disk is full, whatever the name says.
        guard code != .SQLITE_IOERR_SHMSIZE else {
            self = .noSpace
            return
        }
        self =
            switch code.primaryResultCode {
            case .SQLITE_FULL: .noSpace
            case .SQLITE_BUSY, .SQLITE_LOCKED: .busy
            case .SQLITE_IOERR: .io
            case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM: .readOnly
            case .SQLITE_CORRUPT, .SQLITE_NOTADB: .damaged
            default: .other
            }
    }
}
