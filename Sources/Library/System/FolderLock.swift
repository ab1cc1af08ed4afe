import Glibc

/// A lock with which one process at a time changes files in a folder.
public final class FolderLock: Sendable {
    private let folder: Descriptor

    /// Waits for the lock; flock(2).
    ///
    /// - Throws: `FileError`.
    public init(_ path: String) throws(FileError) {
        let folder = try Descriptor(path, O_RDONLY | O_DIRECTORY)
        let raw = folder.raw
        try SystemCall.run("flock", path) { flock(raw, LOCK_EX) }
        self.folder = folder
    }
}
