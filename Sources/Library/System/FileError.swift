import Glibc

/// A failed system call on a file.
public struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The cause of an error.
    public enum Kind: Sendable {
        /// No room: blocks, inodes, quota or the process's own file size limit.
        case noSpace
        /// Mounted read-only, or no permission.
        case readOnly
        /// No free descriptor in the process or the system.
        case descriptors
        /// The device or the share failed.
        case io
        /// The file or its folder is gone.
        case vanished
        /// Anything else.
        case other
    }

    /// The system call, `rename` for example.
    public var call: String
    /// Its path.
    public var path: String
    /// Its `errno`.
    public var errno: Int32

    /// Creates the error of `call` on `path`.
    public init(call: String, path: String, errno: Int32) {
        self.call = call
        self.path = path
        self.errno = errno
    }

    /// The cause of the error.
    public var kind: Kind { Kind(errno: errno) }

    /// Call, path and the system's message.
    public var description: String {
        "\(call) \(path): \(SystemCall.message(errno))\(hint)"
    }

    private var hint: String {
        switch kind {
        case .noSpace: "; free some space or inodes"
        case .readOnly: "; check the owner, the mode and the mount options"
        case .descriptors: "; raise LimitNOFILE"
        case .io: "; check the disk"
        case .other where errno == ENODEV:
            "; another disk is mounted there: mount the former one, or restart stickerd"
        case .vanished, .other: ""
        }
    }
}

extension FileError.Kind {
    /// Classifies an `errno`.
    public init(errno: Int32) {
        self =
            switch errno {
            case ENOSPC, EDQUOT, EFBIG: .noSpace
            case EROFS, EACCES, EPERM: .readOnly
            case EMFILE, ENFILE: .descriptors
            case EIO, ESTALE: .io
            case ENOENT, ENOTDIR: .vanished
            default: .other
            }
    }
}
