import StickerValues

/// Counts the output of an archive, and ends it beyond the limits.
struct ArchiveBudget {
    /// The size that any archive may expand to; see `ArchiveLimits.ratioMax`.
    private static let alwaysAllowedBytes = 1 << 20

    private let limits: ArchiveLimits
    private let archiveBytes: Int
    private var entries = 0
    private var totalBytes = 0

    init(_ limits: ArchiveLimits, archiveBytes: Int) {
        self.limits = limits
        self.archiveBytes = archiveBytes
    }

    /// The limit for a tape archive itself, with headers and padding: up to 4 KiB for each entry.
    var tapeBytesMax: Int {
        let (headers, overflow) = limits.entriesMax.addingReportingOverflow(256)
            .partialValue.multipliedReportingOverflow(by: 4096)
        let (sum, isTooMuch) = limits.totalBytesMax.addingReportingOverflow(headers)
        return overflow || isTooMuch ? .max : sum
    }

    mutating func addEntry() throws(ArchiveError) {
        entries += 1
        guard entries <= limits.entriesMax else { throw Self.tooManyEntries(entries, limits) }
    }

    /// Counts bytes just read from an entry.
    ///
    /// - Parameters:
    ///   - count: their number.
    ///   - entry: the entry.
    ///   - fileBytes: the bytes of the entry so far, including these.
    /// - Throws: `ArchiveError.Code.tooManyBytes` or `.bomb`.
    mutating func add(
        _ count: Int, of entry: EntryPath, fileBytes: Int
    ) throws(ArchiveError) {
        totalBytes += count
        guard fileBytes <= limits.fileBytesMax else {
            throw ArchiveError(
                .tooManyBytes, entry: entry.text, "the file is too large",
                measured: "more than \(limits.fileBytesMax.asBytes)",
                limit: limits.fileBytesMax.asBytes, remedy: "leave it out or make it smaller")
        }
        guard totalBytes <= limits.totalBytesMax else {
            throw ArchiveError(
                .tooManyBytes, entry: entry.text, "all files together are too large",
                measured: "more than \(limits.totalBytesMax.asBytes)",
                limit: limits.totalBytesMax.asBytes,
                remedy: "divide the files among several archives")
        }
        guard
            totalBytes <= Self.alwaysAllowedBytes
                || totalBytes / max(1, limits.ratioMax) <= archiveBytes
        else {
            throw ArchiveError(
                .bomb, entry: entry.text, "the content is far larger than the archive",
                measured: "\(totalBytes.asBytes) out of \(archiveBytes.asBytes)",
                limit: "\(limits.ratioMax.grouped) times the size of the archive",
                remedy: "pack the files without compression")
        }
    }

    static func tooManyEntries(_ entries: Int, _ limits: ArchiveLimits) -> ArchiveError {
        ArchiveError(
            .tooManyEntries, "it has too many entries",
            measured: "\(entries.counted("entry", "entries")) or more",
            limit: limits.entriesMax.counted("entry", "entries"),
            remedy: "divide the files among several archives")
    }
}
