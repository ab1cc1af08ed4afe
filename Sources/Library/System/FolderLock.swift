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

    /// Waits for the lock, but only as long as `patience`: whoever may read a folder may hold it.
    ///
    /// - Throws: `FileError`; `EWOULDBLOCK` if somebody else has it still.
    package init(_ path: String, patience: Duration) throws(FileError) {
        let folder = try Descriptor(path, O_RDONLY | O_DIRECTORY)
        let raw = folder.raw
        let end = ContinuousClock.now + patience
        while flock(raw, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR, .now < end else {
                throw FileError(call: "flock", path: path, errno: errno)
            }
            usleep(20_000)
        }
        self.folder = folder
    }
}
