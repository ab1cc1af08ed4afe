import Glibc

/// Lists an open folder entry by entry. Corresponds to `readdir(3)`.
///
/// Nothing is gathered: a folder of any size costs the same memory.
final class FolderListing {
    /// One entry, and what the file system says about its kind without being asked for more.
    struct Entry {
        enum Hint {
            case folder, notFolder, unknown
        }

        var name: [UInt8]
        var hint: Hint
    }

    private let stream: OpaquePointer
    private let offsetOfName = MemoryLayout<dirent>.offset(of: \dirent.d_name) ?? 0

    /// Takes over the descriptor of `folder`.
    init(_ folder: consuming FolderDescriptor) throws(WatchError) {
        let raw = folder.release()
        guard let stream = fdopendir(raw) else {
            let fault = Errno.fault("cannot list a folder")
            close(raw)
            throw fault
        }
        self.stream = stream
    }

    deinit {
        closedir(stream)
    }

    /// The next entry, `nil` at the end.
    func next() throws(WatchError) -> Entry? {
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                guard errno == 0 else { throw Errno.fault("cannot list a folder") }
                return nil
            }
            let name = Self.name(entry, offsetOfName)
            if name != [UInt8(ascii: ".")] && name != [UInt8(ascii: "."), UInt8(ascii: ".")] {
                return Entry(name: name, hint: Self.hint(Int(entry.pointee.d_type)))
            }
        }
    }

    /// Looks at an entry of the folder that is listed, without following links.
    func look(_ name: [UInt8]) throws(WatchError) -> FileStamp {
        try FolderDescriptor.look(name, in: dirfd(stream))
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
