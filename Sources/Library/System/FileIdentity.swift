/// Identifies a file or folder, as long as its file system is not remounted.
public struct FileIdentity: Hashable, Sendable {
    /// The number of the file system.
    public var device: UInt64
    /// The inode number.
    public var inode: UInt64
}
