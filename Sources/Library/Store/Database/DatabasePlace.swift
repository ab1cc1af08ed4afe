import Glibc
import StickerSystem

/// Identifies a database file, so that its replacement is noticed.
struct DatabasePlace: Sendable {
    private let path: String
    /// Its device is also that of the folder, which another file system may be mounted over.
    private let identity: FileIdentity

    /// Remembers the file that is at `path` now.
    init(_ path: String) throws(FileError) {
        identity = try FileStatus(path).identity
        self.path = path
    }

    /// Whether the file is still there; also `true` if another file system is mounted over its folder and hides it.
    var isTaken: Bool {
        let parent = SystemCall.parentFolder(of: path)
        // If the folder cannot be examined, the file itself decides.
        if let folder = try? FileStatus(parent), folder.identity.device != identity.device {
            return true
        }
        do throws(FileError) {
            return try FileStatus(path).identity.inode == identity.inode
        } catch {
            return error.kind != .vanished
        }
    }

    /// Gives the files of the database at `path` the group rights of their folder: members of a group that may write
    /// there work on the database, too. SQLite gives further files the rights of the main one, which is created if
    /// missing.
    static func share(_ path: String) throws(FileError) {
        guard let folder = try? FileStatus(SystemCall.parentFolder(of: path)),
            folder.isOpenToGroup
        else { return }
        for suffix in ["", "-wal", "-shm"] {
            let flags = O_RDWR | O_NOFOLLOW | (suffix.isEmpty ? O_CREAT : 0)
            // SQLite creates missing files; files of another user already have these rights.
            guard let file = try? Descriptor(path + suffix, flags, mode: shared),
                try FileStatus(file, path: path).owner == geteuid()
            else { continue }
            let raw = file.raw
            try SystemCall.run("fchmod", path) { fchmod(raw, shared) }
        }
    }

    private static let shared: mode_t = 0o660

    /// No file of the database at `path` may be a link: it could redirect the process that opens it to another file.
    static func checkFiles(at path: String) throws(StoreError) {
        for suffix in ["", "-wal", "-shm", "-journal"] {
            // A file that does not exist is not a link.
            guard let file = try? FileStatus(link: path + suffix), file.kind != .regular
            else { continue }
            throw StoreError(
                .other, "\(path + suffix) is not a regular file; remove it")
        }
    }
}
