import Glibc

/// Lists an open folder entry by entry, like `readdir(3)`.
///
/// Nothing is collected: memory use does not depend on the folder's size.
public final class FolderListing {
    /// One entry, with its kind as far as listed.
    public struct Entry: Hashable, Sendable {
        /// Whether it is a folder.
        public enum Hint: Sendable {
            /// It is.
            case folder
            /// It is not.
            case notFolder
            /// Unknown: some file systems do not list the kind.
            case unknown
        }

        /// The name, as the kernel's bytes.
        public var name: [UInt8]
        /// Whether it is a folder, as far as listed.
        public var hint: Hint
    }

    private let stream: OpaquePointer
    private let path: String
    private let offsetOfName = MemoryLayout<dirent>.offset(of: \dirent.d_name) ?? 0

    /// Lists `folder`, which it takes over.
    ///
    /// - Throws: `FileError` with `path` if it is not a folder.
    public init(_ folder: consuming Descriptor, path: String) throws(FileError) {
        let raw = folder.release()
        guard let stream = fdopendir(raw) else {
            let error = FileError(call: "fdopendir", path: path, errno: errno)
            close(raw)
            throw error
        }
        self.stream = stream
        self.path = path
    }

    /// Lists the folder at `path`; links on the way are followed.
    ///
    /// - Throws: `FileError`.
    public convenience init(_ path: String) throws(FileError) {
        try self.init(try Descriptor(path, O_RDONLY | O_DIRECTORY), path: path)
    }

    deinit {
        closedir(stream)
    }

    /// The next entry, without `.` and `..`; `nil` at the end.
    ///
    /// - Throws: `FileError`.
    public func next() throws(FileError) -> Entry? {
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                guard errno == 0 else {
                    throw FileError(call: "readdir", path: path, errno: errno)
                }
                return nil
            }
            let name = Self.name(entry, offsetOfName)
            if name.count > 2 || !name.allSatisfy({ $0 == UInt8(ascii: ".") }) {
                return Entry(name: name, hint: Self.hint(Int(entry.pointee.d_type)))
            }
        }
    }

    /// All remaining entries.
    ///
    /// - Throws: `FileError`.
    public func rest() throws(FileError) -> [Entry] {
        var entries: [Entry] = []
        while let entry = try next() { entries.append(entry) }
        return entries
    }

    /// The status of an entry of this folder, without following links.
    ///
    /// - Throws: `FileError`.
    public func status(of name: [UInt8]) throws(FileError) -> FileStatus {
        try FileStatus(name, inFolder: dirfd(stream), path: path)
    }

    /// The first `count` bytes of the regular file `name` in the folder, or fewer if it is shorter.
    ///
    /// - Throws: `FileError`; `ELOOP` if it is a link.
    public func firstBytes(_ count: Int, of name: [UInt8]) throws(FileError) -> [UInt8] {
        let raw = SystemCall.withCName(name) { name in
            SystemCall.retrying {
                openat(dirfd(stream), name, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
            }
        }
        guard raw >= 0 else { throw FileError(call: "openat", path: path, errno: errno) }
        return try Descriptor(adopting: raw).firstBytes(count, path: path)
    }

    /// Whether an entry is a folder; `false` for one that vanished meanwhile.
    public func isFolder(_ entry: Entry) -> Bool {
        switch entry.hint {
        case .folder: true
        case .notFolder: false
        // Dropping the error is right: inaccessible folders are not entered.
        case .unknown: (try? status(of: entry.name))?.kind == .folder
        }
    }

    private static func name(_ entry: UnsafeMutablePointer<dirent>, _ offset: Int) -> [UInt8] {
        // Read through the raw pointer: the record may be shorter than the imported struct.
        let start = UnsafeRawPointer(entry).advanced(by: offset)
        let length = strlen(start.assumingMemoryBound(to: CChar.self))
        return Array(UnsafeRawBufferPointer(start: start, count: length))
    }

    private static func hint(_ type: Int) -> Entry.Hint {
        switch type {
        case Int(DT_DIR): .folder
        case Int(DT_UNKNOWN): .unknown
        default: .notFolder
        }
    }
}
