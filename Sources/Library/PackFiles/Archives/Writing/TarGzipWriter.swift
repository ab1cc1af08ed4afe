import CArchive
import Glibc
import StickerSystem
import StickerValues

/// Owns one libarchive writer of a POSIX tape archive in gzip. Corresponds to `archive_write_new`.
///
/// Names are written as bytes, not in a pax header, which many small readers take for a file.
struct TarGzipWriter: ~Copyable {
    /// 1980-01-01 00:00 UTC, the same day as in a ZIP, in seconds since 1970.
    private static let date = 315_532_800

    /// `nil` only after a lack of memory.
    private let archive: OpaquePointer?
    private let entry: OpaquePointer?
    private let path: String

    /// - Parameters:
    ///   - file: has to stay open as long as the writer.
    ///   - path: the name of the archive in errors.
    /// - Throws: `ArchiveError.Code.outOfMemory` or `.system`.
    init(to file: borrowing Descriptor, path: String) throws(ArchiveError) {
        (archive, entry, self.path) = (archive_write_new(), archive_entry_new(), path)
        guard archive != nil, entry != nil else { throw .outOfMemory }
        archive_write_set_format_ustar(archive)
        try check(archive_write_add_filter_gzip(archive))
        try check(archive_write_set_filter_option(archive, "gzip", "timestamp", nil))
        try check(archive_write_set_filter_option(archive, "gzip", "compression-level", "9"))
        // No padding at the end, which libarchive adds only for pipes.
        archive_write_set_bytes_in_last_block(archive, 1)
        try check(archive_write_open_fd(archive, file.raw))
    }

    deinit {
        // Otherwise an abandoned archive would be completed.
        if archive != nil { archive_write_fail(archive) }
        archive_write_free(archive)
        archive_entry_free(entry)
    }

    func add(_ item: ArchiveItem) throws(ArchiveError) {
        let fingerprint = try item.fingerprint()
        archive_entry_clear(entry)
        archive_entry_set_pathname(entry, item.path)
        archive_entry_set_size(entry, Int64(fingerprint.count))
        archive_entry_set_filetype(entry, UInt32(carchive_regular_file))
        archive_entry_set_perm(entry, 0o644)
        archive_entry_set_mtime(entry, Self.date, 0)
        try check(archive_write_header(archive, entry), item)
        try item.forEachPart(of: fingerprint) { (part) throws(ArchiveError) in
            let written = archive_write_data(archive, part.baseAddress, part.count)
            guard written == part.count else { throw fault(item) }
        }
        try check(archive_write_finish_entry(archive), item)
    }

    func finish() throws(ArchiveError) { try check(archive_write_close(archive)) }

    private func check(_ status: Int32, _ item: ArchiveItem? = nil) throws(ArchiveError) {
        guard status == ARCHIVE_OK else { throw fault(item) }
    }

    private func fault(_ item: ArchiveItem?) -> ArchiveError {
        let number = archive_errno(archive)
        switch number {
        case ENOMEM: return .outOfMemory
        case ENAMETOOLONG:
            return ArchiveError(
                .longPath, entry: item?.path, "a tar archive has no room for its path",
                measured: item?.path.utf8.count.counted("byte", "bytes"),
                limit: "100 bytes, or 155 of folders and 100 of a name", remedy: "shorten its name")
        case ERANGE:
            return ArchiveError(
                .tooManyBytes, entry: item?.path,
                "a tar archive has no room for a file of its size",
                limit: "8.6 GB", remedy: "write a smaller file")
        default:
            let cause = FileError(call: "write", path: path, errno: number)
            return ArchiveError(cause, entry: item?.path)
        }
    }
}
