import Glibc

/// Free space on a file system; statvfs(3).
public struct FreeSpace: Hashable, Sendable {
    /// Bytes that this process may still write.
    public var bytes: Int64
    /// The size of a block, the unit of allocation.
    public var blockBytes: Int

    /// The free space at `path`.
    ///
    /// - Throws: `FileError` if the path is inaccessible.
    public init(at path: String) throws(FileError) {
        var status = statvfs()
        try SystemCall.run("statvfs", path) { statvfs(path, &status) }
        bytes = Self.bytes(status)
        blockBytes = Int(clamping: status.f_frsize)
    }

    /// Bytes that this process may still write at `path`.
    ///
    /// - Throws: `FileError` if the path is inaccessible.
    public static func bytes(at path: String) throws(FileError) -> Int64 {
        try FreeSpace(at: path).bytes
    }

    /// A file system that does not know its free space may report more than a number holds.
    static func bytes(_ status: statvfs) -> Int64 {
        let product = UInt64(status.f_bavail).multipliedReportingOverflow(
            by: UInt64(status.f_frsize))
        return product.overflow ? .max : Int64(clamping: product.partialValue)
    }
}
