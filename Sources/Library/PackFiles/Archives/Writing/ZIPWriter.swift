import StickerSystem
import StickerValues

/// Writes a ZIP of stored files (PKWARE APPNOTE 6.3.10, ISO/IEC 21320-1).
///
/// Not by libarchive, which writes the checksum of a stored file after its bytes: readers that do not seek, such as
/// Java's and Android's, refuse that.
struct ZIPWriter {
    private static let utf8Names: UInt16 = 1 << 11
    /// 1980-01-01 00:00, the earliest time of the format.
    private static let date: UInt16 = 1 << 5 | 1
    private static let versionNeeded: UInt16 = 20
    private static let madeByUnix: UInt16 = 3 << 8 | 20
    private static let regularFile: UInt32 = 0o100644
    /// Larger ones need ZIP64, which not every reader knows.
    private static let bytesMax = Int(UInt32.max) - 1
    private static let entriesMax = Int(UInt16.max) - 1

    private let path: String
    private var offset = 0
    private var entries = 0
    /// The central directory so far.
    private var directory: [UInt8] = []

    init(path: String) { self.path = path }

    mutating func add(
        _ item: ArchiveItem, to file: borrowing Descriptor
    ) throws(ArchiveError) {
        let fingerprint = try item.fingerprint()
        let headers = 2 * (64 + item.path.utf8.count)
        try check(offset + fingerprint.count + directory.count + headers, entry: item.path)
        let name = Array(item.path.utf8)
        let start = offset
        let common = Self.common(name, fingerprint)
        try write([0x50, 0x4B, 3, 4] + common + [0, 0] + name, to: file)
        try item.forEachPart(of: fingerprint) { (part) throws(ArchiveError) in
            try item.named { () throws(FileError) in
                try file.writeAll(part, path: path)
            }
        }
        offset += fingerprint.count
        directory += [0x50, 0x4B, 1, 2] + bytes(Self.madeByUnix) + common
        // No extra field, no comment, the first disk, not marked as text.
        directory += [0, 0, 0, 0, 0, 0, 0, 0]
        directory += bytes(Self.regularFile << 16) + bytes(UInt32(start)) + name
        entries += 1
    }

    /// Appends the directory, which completes the ZIP.
    mutating func finish(_ file: borrowing Descriptor) throws(ArchiveError) {
        let (start, size) = (UInt32(offset), UInt32(directory.count))
        try write(directory, to: file)
        let count = bytes(UInt16(entries))
        try write(
            [0x50, 0x4B, 5, 6, 0, 0, 0, 0] + count + count + bytes(size) + bytes(start) + [0, 0],
            to: file)
    }

    /// The common part of both headers of an entry, from the version that it needs to the length of its name.
    private static func common(_ name: [UInt8], _ file: ArchiveItem.Fingerprint) -> [UInt8] {
        let flags = name.allSatisfy { $0 < 0x80 } ? 0 : utf8Names
        let (stored, midnight): (UInt16, UInt16) = (0, 0)
        let words = [versionNeeded, flags, stored, midnight, date].flatMap { bytes($0) }
        let size = bytes(UInt32(file.count))
        return words + bytes(file.crc) + size + size + bytes(UInt16(name.count))
    }

    private func check(_ end: Int, entry: String) throws(ArchiveError) {
        guard entries < Self.entriesMax else {
            throw ArchiveError(
                .tooManyEntries, entry: entry, "a ZIP has no room for so many files",
                measured: (entries + 1).counted("file", "files"),
                limit: Self.entriesMax.counted("file", "files"),
                remedy: "divide them among several archives")
        }
        guard end <= Self.bytesMax else {
            throw ArchiveError(
                .tooManyBytes, entry: entry, "a ZIP has no room for so many bytes",
                measured: end.asBytes, limit: Self.bytesMax.asBytes,
                remedy: "divide the files among several archives")
        }
    }

    private mutating func write(
        _ bytes: [UInt8], to file: borrowing Descriptor
    ) throws(ArchiveError) {
        do throws(FileError) { try file.writeAll(bytes, path: path) } catch {
            throw ArchiveError(error)
        }
        offset += bytes.count
    }
}

/// A little-endian integer.
private func bytes<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian, Array.init)
}
