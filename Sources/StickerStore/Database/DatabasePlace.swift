import StickerSystem

/// Which file a database is, so that another one in its place is noticed.
struct DatabasePlace: Sendable {
    private let path: String
    /// Its device is that of the folder, too, which another file system may hide.
    private let identity: FileIdentity

    /// The file that lies at `path` now.
    init(_ path: String) throws(FileError) {
        identity = try FileStatus(path).identity
        self.path = path
    }

    /// Whether the file is still there; also where nobody can tell, as another file system lies over it.
    var isTaken: Bool {
        let parent = SystemCall.parentFolder(of: path)
        // A folder that cannot be looked at says nothing; the file itself is asked then.
        if let folder = try? FileStatus(parent), folder.identity.device != identity.device {
            return true
        }
        do throws(FileError) {
            return try FileStatus(path).identity.inode == identity.inode
        } catch {
            return error.kind != .vanished
        }
    }

    /// No file of the database at `path` may be a link: it would lead whoever opens it to a file of his own.
    static func checkFiles(at path: String) throws(StoreError) {
        for suffix in ["", "-wal", "-shm", "-journal"] {
            // One that is not there is no link.
            guard let file = try? FileStatus(link: path + suffix), file.kind != .regular
            else { continue }
            throw StoreError(
                .other, "\(path + suffix) is no regular file; remove what lies in its place")
        }
    }
}
