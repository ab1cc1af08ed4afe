import StickerSystem

/// Which file lay at a path.
struct FilePlace: Sendable {
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
}
