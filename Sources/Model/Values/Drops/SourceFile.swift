/// The place of a file: a drop folder, the folder below it, and the name, as the kernel's bytes.
public struct SourceKey: Hashable, Sendable {
    /// The absolute path of the drop folder.
    public var drop: String
    /// The folder below the drop, for example `cats/winter`; empty for the drop itself.
    public var directory: [UInt8]
    /// The file's own name.
    public var name: [UInt8]

    /// Identifies a file in `directory` below `drop`.
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

    /// Files of these names beside it.
    public func siblings(_ names: [[UInt8]]) -> [SourceKey] {
        names.map { SourceKey(drop: drop, directory: directory, name: $0) }
    }

    /// Identifies the file with this size in 61 bits: FNV-1a (RFC 9923). Touching it, or writing the same again,
    /// changes nothing.
    ///
    /// - Parameter size: in bytes; -1 to ignore it.
    /// - Returns: the mark.
    public func mark(size: Int64) -> Int64 {
        let bytes = [Array(drop.utf8), relativePath, Array("\(size)".utf8)].joined(separator: [0])
        let hash = bytes.reduce(UInt64(0xcbf2_9ce4_8422_2325)) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01b3
        }
        return Int64(hash >> 3)
    }

    /// Whether it is a template, which shows the time or the weather: `clock.smart.svg`.
    public var isTemplate: Bool { FileName.isTemplate(name) }

    /// The path below the drop, escaped for display.
    public var display: String { FileName.escaped(FileName.display(relativePath)) }
}

/// One state of a file's content as reported by the kernel; a different value means that it was written to.
///
/// The device number is left out: it changes when a share is remounted.
public struct FileVersion: Hashable, Sendable, Codable {
    /// The inode number.
    public var inode: UInt64
    /// Bytes.
    public var size: Int64
    /// Time of the last change of content, in nanoseconds since 1970.
    public var mtime: Int64
    /// Time of the last change of the inode, in nanoseconds since 1970.
    public var ctime: Int64

    /// Creates a state from these stamps. They serve only for comparison.
    public init(inode: UInt64, size: Int64, mtime: Int64, ctime: Int64) {
        self.inode = inode
        self.size = size
        self.mtime = mtime
        self.ctime = ctime
    }
}

/// One observation of a file that exists in a drop.
public struct Sighting: Hashable, Sendable {
    /// How the file was noticed; it decides when and in which order the file is processed.
    public enum Origin: String, Sendable, Codable {
        /// Closed after writing, or moved in: complete if its container is.
        case closed
        /// Created, linked or touched: a program may still be writing it.
        case changed
        /// Found by listing a folder.
        case scan
        /// Not noticed again: the data of its template changed.
        case clock
    }

    /// Where it is.
    public var key: SourceKey
    /// Its state at the time.
    public var version: FileVersion
    /// `false` for symbolic links, FIFOs, sockets and devices.
    public var isRegularFile: Bool
    /// How it was noticed.
    public var origin: Origin
    /// The number of the user who owns the file; `nil` if unknown.
    public var owner: UInt32?
    /// Why it is not ignored although its name is not that of a picture.
    public var stranger: Stranger?

    /// Creates a sighting of the file `key`.
    public init(
        key: SourceKey, version: FileVersion, isRegularFile: Bool, origin: Origin,
        owner: UInt32? = nil, stranger: Stranger? = nil
    ) {
        self.key = key
        self.version = version
        self.isRegularFile = isRegularFile
        self.origin = origin
        self.owner = owner
        self.stranger = stranger
    }
}
