import Glibc

/// Room on a file system.
public enum FreeSpace {
    /// Bytes that this process may still write at `path`; statvfs(3).
    ///
    /// - Throws: `FileError` where the path cannot be asked.
    public static func bytes(at path: String) throws(FileError) -> Int64 {
        var status = statvfs()
        try SystemCall.run("statvfs", path) { statvfs(path, &status) }
        return Int64(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
    }
}
