/// Where a file lies: a drop folder, the folder below it, and the name, as the kernel's bytes.
public struct SourceKey: Hashable, Sendable {
    /// The absolute path of the drop folder.
    public var drop: String
    /// The folder below the drop, `cats/winter` for example; empty for the drop itself.
    public var directory: [UInt8]
    /// The file's own name.
    public var name: [UInt8]

    /// Names a file in `directory` below `drop`.
    public init(drop: String, directory: [UInt8], name: [UInt8]) {
        self.drop = drop
        self.directory = directory
        self.name = name
    }

    /// The path below the drop: `cats/winter/snow.png`.
    public var relativePath: [UInt8] {
        directory.isEmpty ? name : directory + [UInt8(ascii: "/")] + name
    }

    /// The first folder below the drop, which is the category; `nil` for a file in the drop itself.
    public var categoryFolder: [UInt8]? {
        guard !directory.isEmpty else { return nil }
        return Array(directory.prefix { $0 != UInt8(ascii: "/") })
    }

    /// The path below the drop for people, escaped.
    public var display: String { FileName.escaped(FileName.display(relativePath)) }
}

/// One state of a file's content as the kernel tells it; another value means it was written.
///
/// The device number is left out: it changes when a share is mounted again.
public struct FileVersion: Hashable, Sendable, Codable {
    /// The inode number.
    public var inode: UInt64
    /// Bytes.
    public var size: Int64
    /// Time of the last change of content, nanoseconds since 1970.
    public var mtime: Int64
    /// Time of the last change of the inode, nanoseconds since 1970.
    public var ctime: Int64

    /// The state of a file with these stamps. They serve to tell equal from different, no more.
    public init(inode: UInt64, size: Int64, mtime: Int64, ctime: Int64) {
        self.inode = inode
        self.size = size
        self.mtime = mtime
        self.ctime = ctime
    }
}

/// One look at a file that exists in a drop.
public struct Sighting: Hashable, Sendable {
    /// How the file came into view; it decides how soon and in which order it is worked on.
    public enum Origin: String, Sendable, Codable {
        /// Closed after writing, or moved in: complete if its container is.
        case closed
        /// Created, linked or touched: a writer may still be at it.
        case changed
        /// Found by listing a folder.
        case scan
    }

    /// Where it lies.
    public var key: SourceKey
    /// Its state at the look.
    public var version: FileVersion
    /// `false` for symbolic links, FIFOs, sockets and devices.
    public var isRegularFile: Bool
    /// How it came into view.
    public var origin: Origin

    /// A look at the file `key`.
    public init(key: SourceKey, version: FileVersion, isRegularFile: Bool, origin: Origin) {
        self.key = key
        self.version = version
        self.isRegularFile = isRegularFile
        self.origin = origin
    }
}
