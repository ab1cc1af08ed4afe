import Glibc
import StickerModel

/// Which file or folder something is, as long as no file system is mounted anew.
struct FileIdentity: Hashable, Sendable {
    var device: UInt64
    var inode: UInt64
}

/// What `fstatat(2)` tells about an entry of a folder.
struct FileStamp: Hashable, Sendable {
    enum Kind: Sendable {
        case regular, folder, other
    }

    var identity: FileIdentity
    var kind: Kind
    var generation: Generation

    init(_ status: stat) {
        identity = FileIdentity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
        generation = Generation(
            inode: UInt64(status.st_ino), size: Int64(status.st_size),
            mtime: Self.nanoseconds(status.st_mtim), ctime: Self.nanoseconds(status.st_ctim))
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .regular
            case S_IFDIR: .folder
            default: .other
            }
    }

    /// Stamps beyond the year 2262 wrap round: they serve to tell equal from different, no more.
    private static func nanoseconds(_ time: timespec) -> Int64 {
        Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}
