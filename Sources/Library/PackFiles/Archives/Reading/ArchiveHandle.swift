import CArchive
import Glibc
import StickerSystem

/// Owns one libarchive reader of a single format, and its file. Corresponds to `archive_read_new`.
struct ArchiveHandle: ~Copyable {
    /// An entry as its header describes it.
    struct Entry {
        enum Kind {
            case file, folder, other
        }

        var kind: Kind
        var name: [UInt8]
        /// The size of the file in the archive's header, if known.
        let bytes: Int?
        let isEncrypted: Bool
    }

    /// The source of the bytes; it is closed after libarchive's reader.
    private enum Source: ~Copyable {
        case file(Descriptor)
        case gzip(GzipSource)
    }

    private static let blockBytes = 64 * 1024
    /// `ARCHIVE_ERRNO_FILE_FORMAT` and `ARCHIVE_ERRNO_MISC`, which are in no public header.
    private static let (badFormat, otherFault): (Int32, Int32) = (EILSEQ, -1)

    /// `nil` only after a lack of memory.
    private let archive: OpaquePointer?
    private let source: Source
    private let isEmpty: Bool
    private let path: String

    /// Opens a ZIP with a checked directory. libarchive refuses one without entries.
    init(zip file: consuming Descriptor, path: String, isEmpty: Bool) throws(ArchiveError) {
        try self.init(.file(file), path, isEmpty: isEmpty) {
            archive_read_support_format_zip_seekable($0)
        }
    }

    /// Opens an uncompressed tape archive.
    init(tar file: consuming Descriptor, path: String) throws(ArchiveError) {
        try self.init(.file(file), path) { archive_read_support_format_tar($0) }
    }

    /// Opens a tape archive in gzip.
    init(tarGzip source: GzipSource, path: String) throws(ArchiveError) {
        try self.init(.gzip(source), path) { archive_read_support_format_tar($0) }
    }

    private init(
        _ source: consuming Source, _ path: String, isEmpty: Bool = false,
        _ enable: (OpaquePointer) -> Int32
    ) throws(ArchiveError) {
        self.source = source
        self.isEmpty = isEmpty
        self.path = path
        archive = archive_read_new()
        guard let archive else { throw .outOfMemory }
        if isEmpty { return }
        guard enable(archive) == ARCHIVE_OK, open() == ARCHIVE_OK else { throw fault() }
    }

    deinit { archive_read_free(archive) }

    private var gzip: GzipSource? {
        switch source {
        case .file: nil
        case .gzip(let gzip): gzip
        }
    }

    private func open() -> Int32 {
        switch source {
        case .file(let file):
            return archive_read_open_fd(archive, file.raw, Self.blockBytes)
        case .gzip(let gzip):
            // Not retained: `source` outlives libarchive's reader.
            let data = Unmanaged.passUnretained(gzip).toOpaque()
            return archive_read_open(
                archive, data, nil, { Self.readGzip(into: $2, from: $1) }, nil)
        }
    }

    /// Corresponds to `archive_read_callback`.
    private static func readGzip(
        into block: UnsafeMutablePointer<UnsafeRawPointer?>?, from data: UnsafeMutableRawPointer?
    ) -> Int {
        guard let data, let block else { return Int(ARCHIVE_FATAL) }
        let source = Unmanaged<GzipSource>.fromOpaque(data).takeUnretainedValue()
        // The error is in `failure`.
        guard let part = try? source.nextPart() else { return Int(ARCHIVE_FATAL) }
        block.pointee = part.baseAddress
        return part.count
    }

    /// The next entry; `nil` at the end.
    func nextEntry() throws(ArchiveError) -> Entry? {
        if isEmpty { return nil }
        // libarchive converts names to the charset of the thread's locale, which is ASCII by default.
        let former = uselocale(UTF8Locale.shared.locale)
        defer { uselocale(former) }
        var header: OpaquePointer?
        let status = archive_read_next_header(archive, &header)
        if status == ARCHIVE_EOF { return nil }
        // A warning means contradictory headers, or a name that is not text.
        guard let header, status == ARCHIVE_OK else {
            let name = status == ARCHIVE_WARN ? header.flatMap(Self.name) : nil
            throw fault(entry: name.map(EntryPath.shown))
        }
        return Entry(
            kind: Self.kind(header), name: Self.name(header) ?? [],
            bytes: archive_entry_size_is_set(header) != 0 ? Int(archive_entry_size(header)) : nil,
            isEncrypted: archive_entry_is_encrypted(header) != 0)
    }

    private static func name(_ header: OpaquePointer) -> [UInt8]? {
        guard let name = archive_entry_pathname(header) else { return nil }
        return Array(UnsafeRawBufferPointer(start: name, count: strlen(name)))
    }

    private static func kind(_ header: OpaquePointer) -> Entry.Kind {
        guard archive_entry_hardlink(header) == nil else { return .other }
        switch archive_entry_filetype(header) {
        case carchive_regular_file: return .file
        case carchive_folder: return .folder
        default: return .other
        }
    }

    /// Reads bytes of the last returned entry; 0 at its end.
    func read(
        into buffer: UnsafeMutableRawBufferPointer, entry: String
    ) throws(ArchiveError) -> Int {
        let count = archive_read_data(archive, buffer.baseAddress, buffer.count)
        guard count >= 0 else { throw fault(entry: entry) }
        return count
    }

    /// Checks the bytes after the last entry of a tape archive.
    ///
    /// - Throws: `ArchiveError.Code.damaged` if its end mark is missing, or the checksum of gzip is wrong.
    func checkEndOfTape() throws(ArchiveError) {
        guard archive_filter_bytes(archive, 0) > archive_read_header_position(archive) else {
            throw .damaged("it ends too early")
        }
        try gzip?.drain()
    }

    /// Why the last call failed. The number distinguishes libarchive's verdicts from errors of the system.
    private func fault(entry: String? = nil) -> ArchiveError {
        if let failure = gzip?.failure { return failure }
        let number = archive_errno(archive)
        switch number {
        case ENOMEM: return .outOfMemory
        case Self.badFormat where archive_format(archive) == 0: return .notAnArchive
        case 0, Self.badFormat, EINVAL, Self.otherFault:
            let words = archive_error_string(archive).map { Array(String(cString: $0).utf8) }
            let detail = words.map { "it is damaged: \(EntryPath.shown($0))" }
            return .damaged(detail ?? "it is damaged", entry: entry)
        default:
            return ArchiveError(FileError(call: "read", path: path, errno: number), entry: entry)
        }
    }
}

/// A locale whose text is UTF-8; a part of glibc since 2.35.
private final class UTF8Locale: Sendable {
    static let shared = UTF8Locale()

    // Unchecked because it is never changed or freed.
    nonisolated(unsafe) let locale: locale_t?

    private init() { locale = newlocale(1 << LC_CTYPE, "C.UTF-8", nil) }
}
