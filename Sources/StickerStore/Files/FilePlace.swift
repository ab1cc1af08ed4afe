import Glibc

/// Which file lay at a path.
struct FilePlace: Sendable {
    private let path: String
    private let inode: ino_t
    /// Of the folder, which another file system may hide.
    private let device: dev_t

    /// The file that lies at `path` now.
    init(_ path: String) throws(FileError) {
        var status = stat()
        try SystemCall.run("stat", path) { stat(path, &status) }
        self.path = path
        (inode, device) = (status.st_ino, status.st_dev)
    }

    /// Whether the file is still there; also where nobody can tell, as another file system lies over it.
    var isTaken: Bool {
        var folder = stat()
        let parent = SystemCall.parentFolder(of: path)
        if stat(parent, &folder) == 0, folder.st_dev != device { return true }
        var status = stat()
        guard stat(path, &status) == 0 else { return errno != ENOENT && errno != ENOTDIR }
        return status.st_ino == inode
    }
}
