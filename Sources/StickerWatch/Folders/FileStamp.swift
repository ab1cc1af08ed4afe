import Glibc
import StickerModel

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
            mtime: Self.stamp(status.st_mtim), ctime: Self.stamp(status.st_ctim))
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .regular
            case S_IFDIR: .folder
            default: .other
            }
    }

    private static func stamp(_ time: timespec) -> Int64 {
        Generation.stamp(seconds: time.tv_sec, nanoseconds: time.tv_nsec)
    }
}
