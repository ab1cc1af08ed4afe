import Glibc

/// Room on a file system.
public enum FreeSpace {
    /// Bytes that this process may still write at `path`; statvfs(3).
    ///
    /// - Throws: `FileError` where the path cannot be asked.
    public static func bytes(at path: String) throws(FileError) -> Int64 {
        var status = statvfs()
        try SystemCall.run("statvfs", path) { statvfs(path, &status) }
        return bytes(status)
    }

    /// What a file system that does not know its room says may be more than a number holds.
    static func bytes(_ status: statvfs) -> Int64 {
        let product = UInt64(status.f_bavail).multipliedReportingOverflow(
            by: UInt64(status.f_frsize))
        return product.overflow ? .max : Int64(clamping: product.partialValue)
    }
}
