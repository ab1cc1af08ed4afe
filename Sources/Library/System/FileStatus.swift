import Glibc

/// The status of a file or folder by stat(2).
public struct FileStatus: Hashable, Sendable {
    /// The type of a file.
    public enum Kind: Sendable {
        /// A regular file.
        case regular
        /// A folder.
        case folder
        /// A symbolic link, which was not followed.
        case link
        /// A FIFO, socket or device.
        case other
    }

    /// Its identity.
    public var identity: FileIdentity
    /// Its type.
    public var kind: Kind
    /// The size in bytes.
    public var size: Int64
    /// Time of the last change of content, nanoseconds since 1970.
    public var mtime: Int64
    /// Time of the last change of the inode, nanoseconds since 1970.
    public var ctime: Int64
    /// `mtime` in whole seconds, right for every year.
    public var mtimeSeconds: Int
    /// The user who owns it.
    public var owner: UInt32
    /// The group that owns it.
    public var group: UInt32
    /// Whether members of that group may read, change and enter it.
    public var isOpenToGroup: Bool

    /// Reads the status of `path`; links are followed.
    ///
    /// - Throws: `FileError`.
    public init(_ path: String) throws(FileError) {
        var status = stat()
        try SystemCall.run("stat", path) { stat(path, &status) }
        self.init(status)
    }

    /// Reads the status of `path`, or of the link itself if it is one; lstat(2).
    ///
    /// - Throws: `FileError`.
    public init(link path: String) throws(FileError) {
        var status = stat()
        try SystemCall.run("lstat", path) { lstat(path, &status) }
        self.init(status)
    }

    /// Reads the status of an open file; fstat(2).
    ///
    /// - Throws: `FileError` with `path`.
    public init(_ file: borrowing Descriptor, path: String) throws(FileError) {
        var status = stat()
        let raw = file.raw
        try SystemCall.run("fstat", path) { fstat(raw, &status) }
        self.init(status)
    }

    /// Reads the status of the entry `name` of an open folder, without following links; fstatat(2).
    ///
    /// - Throws: `FileError` with `path`.
    public init(_ name: [UInt8], in folder: borrowing Descriptor, path: String) throws(FileError) {
        try self.init(name, inFolder: folder.raw, path: path)
    }

    /// The same for a folder whose descriptor is owned elsewhere.
    init(_ name: [UInt8], inFolder folder: Int32, path: String) throws(FileError) {
        var status = stat()
        try SystemCall.run("fstatat", path) {
            SystemCall.withCName(name) { fstatat(folder, $0, &status, AT_SYMLINK_NOFOLLOW) }
        }
        self.init(status)
    }

    init(_ status: stat) {
        identity = FileIdentity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
        size = Int64(status.st_size)
        mtime = Self.stamp(status.st_mtim)
        ctime = Self.stamp(status.st_ctim)
        mtimeSeconds = status.st_mtim.tv_sec
        (owner, group) = (status.st_uid, status.st_gid)
        isOpenToGroup = status.st_mode & S_IRWXG == S_IRWXG
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .regular
            case S_IFDIR: .folder
            case S_IFLNK: .link
            default: .other
            }
    }

    /// Wraps around outside the years 1677 to 2262: it only serves for comparison.
    private static func stamp(_ time: timespec) -> Int64 {
        Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}
