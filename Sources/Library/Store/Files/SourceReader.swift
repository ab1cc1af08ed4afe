import CLinux
import Glibc
import StickerSystem
public import StickerValues

/// The result of reading a source file.
public enum SourceReading: Sendable {
    /// All its bytes, their hash, and the matching state of the file.
    case read(SourceBytes, ContentHash, FileVersion)
    /// It is being changed, or was just now; its newest state.
    case changed(FileVersion)
    /// A program has it open for writing.
    case writerActive(FileVersion)
    /// A symbolic link, FIFO, socket, device or folder.
    case notRegular
    /// It is gone.
    case vanished
    /// It has this many bytes, more than allowed; nothing was read.
    case tooLarge(Int64)
    /// No permission, or a name that the system does not accept: an `errno`.
    case unreadable(Int32)
    /// The drop or its share cannot be reached, so the state of the file is unknown: an `errno`.
    case away(Int32)
    /// The system lacks descriptors or memory: an `errno`.
    case environment(Int32)
    /// Another attempt may succeed: an `errno`.
    case transient(Int32)
}

/// Reads source files safely: never follows links, never waits for a FIFO, never leaves the drop.
public enum SourceReader {
    /// Reads `key` once through one descriptor, hashing on the way.
    ///
    /// - Parameters:
    ///   - key: the file.
    ///   - expected: the state that the caller knows; a different one gives `.changed`. `nil` accepts any.
    ///   - bytesMax: larger files are not read.
    /// - Returns: the bytes, or why there are none.
    public static func read(
        _ key: SourceKey, expected: FileVersion?, bytesMax: Int
    ) -> SourceReading {
        do {
            let file = try open(key)
            return try read(file, key, expected, Int64(bytesMax))
        } catch {
            return sorted(error, of: key)
        }
    }

    /// Whether `key` can be opened and read to its end now.
    public static func canRead(_ key: SourceKey) -> Bool {
        switch read(key, expected: nil, bytesMax: probedBytesMax) {
        case .read, .changed, .writerActive, .notRegular, .tooLarge: true
        case .vanished, .unreadable, .away, .environment, .transient: false
        }
    }

    /// The hash of the bytes of `key`; `nil` if they cannot be read now, or are too many.
    public static func content(of key: SourceKey) -> ContentHash? {
        guard case .read(_, let hash, _) = read(key, expected: nil, bytesMax: probedBytesMax)
        else { return nil }
        return hash
    }

    /// Larger files are only opened: reading them is slow, and most are refused for their size.
    private static let probedBytesMax = 64 << 20

    /// The parts of `key` that hold its headers, in as many bytes as the file has; zeros stand for the rest. Small
    /// files, texts and TIFFs are complete.
    ///
    /// - Parameters:
    ///   - key: the file.
    ///   - expected: the state that the caller knows.
    ///   - bytesMax: larger files are not read.
    /// - Returns: `nil` if the file is in another state, or cannot be read now.
    public static func headers(
        of key: SourceKey, expected: FileVersion, bytesMax: Int
    ) -> SourceBytes? {
        // A file that cannot be read now is examined another time.
        guard let file = try? open(key),
            let status = try? FileStatus(file, path: key.display), status.kind == .regular,
            status.version == expected, status.version.size <= bytesMax
        else { return nil }
        let count = Int(expected.size)
        guard let head = try? file.bytes(min(count, headBytes), at: 0, path: key.display) else {
            return nil
        }
        let rest = count - head.count
        guard rest > 0 else { return SourceBytes(head) }
        let tail = head.contains(0) && !isTIFF(head) ? min(rest, tailBytes) : rest
        guard let end = try? file.bytes(tail, at: count - tail, path: key.display) else {
            return nil
        }
        return sparse(head, end, count: count)
    }

    /// Profiles and words come before the pixels. CMYK profiles have about 600 KB.
    private static let headBytes = 1 << 20
    /// BMP has its profile at the end.
    private static let tailBytes = 64 << 10

    /// The headers of a TIFF may be anywhere.
    private static func isTIFF(_ head: [UInt8]) -> Bool {
        head.starts(with: "II".utf8) || head.starts(with: "MM".utf8)
    }

    /// Unwritten memory takes no room.
    private static func sparse(_ head: [UInt8], _ tail: [UInt8], count: Int) -> SourceBytes? {
        guard let memory = calloc(count, 1) else { return nil }
        let bytes = UnsafeMutableRawBufferPointer(start: memory, count: count)
        bytes.copyBytes(from: head)
        UnsafeMutableRawBufferPointer(rebasing: bytes[(count - tail.count)...]).copyBytes(
            from: tail)
        return SourceBytes(adopting: UnsafeRawBufferPointer(bytes)) { bytes in
            free(UnsafeMutableRawPointer(mutating: bytes.baseAddress))
        }
    }

    /// Whether the file with this inode is no longer at `key`; `false` if that cannot be determined.
    public static func isGone(_ key: SourceKey, inode: UInt64) -> Bool {
        do {
            let file = try open(key)
            return try FileStatus(file, path: key.display).version.inode != inode
        } catch {
            return error.kind == .vanished && error.path != key.drop
        }
    }

    private static func read(
        _ file: borrowing Descriptor, _ key: SourceKey, _ expected: FileVersion?, _ bytesMax: Int64
    ) throws(FileError) -> SourceReading {
        let status = try FileStatus(file, path: key.display)
        guard status.kind == .regular else { return .notRegular }
        guard expected == nil || expected == status.version else {
            return .changed(status.version)
        }
        guard status.version.size <= bytesMax else { return .tooLarge(status.version.size) }
        guard clinux_is_open_for_writing(file.raw) != 1 else {
            return .writerActive(status.version)
        }
        let (bytes, hash) = try copy(file, key, count: Int(status.version.size))
        let after = try FileStatus(file, path: key.display).version
        guard let bytes, after == status.version else { return .changed(after) }
        return .read(bytes, hash, after)
    }

    /// The bytes, or `nil` if the file was shorter than `count`.
    private static func copy(
        _ file: borrowing Descriptor, _ key: SourceKey, count: Int
    ) throws(FileError) -> (SourceBytes?, ContentHash) {
        guard count > 0 else { return (SourceBytes([]), ContentHash(of: [])) }
        let memory = try SealedMemory(count: count)
        var hash = SHA256()
        var done = 0
        while done < count {
            let part = UnsafeMutableRawBufferPointer(
                rebasing: memory.buffer[done..<min(count, done + partBytes)])
            let length = try file.read(into: part, path: key.display)
            guard length > 0 else { return (nil, hash.finish()) }
            hash.update(UnsafeRawBufferPointer(rebasing: part[..<length]))
            done += length
        }
        return (try memory.sealed(), hash.finish())
    }

    /// Small enough to be hashed while in the processor's cache.
    private static let partBytes = 256 * 1024

    static func sorted(_ error: FileError, of key: SourceKey) -> SourceReading {
        switch error.errno {
        case EMFILE, ENFILE, ENOMEM: .environment(error.errno)
        case _ where error.path == SealedMemory.name: .environment(error.errno)
        case _ where error.path == key.drop: .away(error.errno)
        // A share reports this for all its files; none of them is at fault.
        case ESTALE, ENOTCONN, ETIMEDOUT, EHOSTDOWN, EHOSTUNREACH, ENETDOWN, ENETUNREACH,
            ECONNRESET, ECONNREFUSED, ECONNABORTED:
            .away(error.errno)
        // Permissions are checked when a file is opened; a later error means that a share lost them for a while.
        case EACCES where error.call == "read", EPERM where error.call == "read":
            .transient(error.errno)
        case ENOENT, ENOTDIR: .vanished
        case ELOOP, ENXIO, EXDEV, EISDIR, ENODEV: .notRegular
        case EACCES, EPERM, ENAMETOOLONG: .unreadable(error.errno)
        default: .transient(error.errno)
        }
    }
}

// MARK: - Opening

extension SourceReader {
    private static let flags = O_RDONLY | O_NONBLOCK | O_NOCTTY

    private static func open(_ key: SourceKey) throws(FileError) -> Descriptor {
        let root = try Descriptor(folder: key.drop)
        return try root.open(below: key.relativePath, flags, shown: key.display)
    }
}

extension FileStatus {
    package var version: FileVersion {
        FileVersion(inode: identity.inode, size: size, mtime: mtime, ctime: ctime)
    }
}
