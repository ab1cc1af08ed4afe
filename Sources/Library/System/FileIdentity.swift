/// Identifies a file or folder, as long as its file system is not remounted.
public struct FileIdentity: Hashable, Sendable {
    /// The number of the file system.
    public var device: UInt64
    /// The inode number.
    public var inode: UInt64

    /// Creates the identity of the file with this inode on this device.
    public init(device: UInt64, inode: UInt64) {
        self.device = device
        self.inode = inode
    }
}
