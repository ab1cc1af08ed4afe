import Glibc
import StickerSystem
import StickerValues

/// The central directory of a ZIP (PKWARE APPNOTE 6.3.10), checked before libarchive reads it: libarchive would take
/// any number of entries into memory, cut names at a zero byte, read pipes as files, accept more than two compressions,
/// and trust a local header that contradicts the directory.
struct ZIPDirectory {
    private static let encryptedFlags: UInt16 = 1 | 1 << 6 | 1 << 13
    private static let utf8Flag: UInt16 = 1 << 11
    private static let endBytes = 22
    /// As far from the end as libarchive searches.
    private static let tailBytes = 16 * 1024

    private(set) var names: [ZIPNames.Name] = []

    /// Checks the directory and every local header.
    ///
    /// - Throws: `ArchiveError.Code.tooManyEntries`, `.encrypted`, `.unsupported`, `.badName`, `.damaged`
    ///   or `.system`.
    init(
        _ file: borrowing Descriptor, bytes size: Int, path: String, limits: ArchiveLimits
    ) throws(ArchiveError) {
        let end = try Self.end(file, size, path)
        guard end.entries <= limits.entriesMax else {
            throw ArchiveBudget.tooManyEntries(end.entries, limits)
        }
        var position = end.start
        var occupied: [Range<Int>] = []
        for _ in 0..<end.entries {
            let entry = try Entry(file, at: position, path)
            try entry.check()
            names.append(
                ZIPNames.Name(
                    bytes: entry.name, offset: Int(entry.offset), isOfWindows: entry.isOfWindows))
            occupied.append(try entry.place(file, directory: end.start, path))
            position += entry.bytes
        }
        guard position == end.end else { throw .damaged("its directory has another length") }
        occupied.sort { $0.lowerBound < $1.lowerBound }
        guard zip(occupied, occupied.dropFirst()).allSatisfy({ $0.upperBound <= $1.lowerBound })
        else { throw .damaged("its files overlap") }
    }

    /// The place of the directory, from the record at the end of the file.
    private static func end(
        _ file: borrowing Descriptor, _ size: Int, _ path: String
    ) throws(ArchiveError) -> (entries: Int, start: Int, end: Int) {
        let offset = max(0, size - tailBytes)
        let tail = try file.record(size - offset, at: offset, path)
        guard tail.count >= endBytes,
            let place = (0...(tail.count - endBytes)).last(where: {
                tail[$0...].starts(with: [0x50, 0x4B, 5, 6])
            })
        else { throw .damaged("it ends too early: it has no directory") }
        let end = offset + place
        let (disk, here, all) = (tail.word(place + 4), tail.word(place + 8), tail.word(place + 10))
        let (length, start) = (Int(tail.long(place + 12)), Int(tail.long(place + 16)))
        let isLarge = place >= 20 && tail[(place - 20)...].starts(with: [0x50, 0x4B, 6, 7])
        guard disk == 0, here == all, !isLarge, start < UInt32.max else {
            throw unsupported("it is a ZIP of several volumes, or of more than 4 GiB")
        }
        guard end + endBytes + Int(tail.word(place + 20)) == size, start + length == end
        else { throw .damaged("its directory is not where it should be") }
        return (Int(all), start, end)
    }

    fileprivate static func unsupported(_ detail: String, entry: String? = nil) -> ArchiveError {
        ArchiveError(
            .unsupported, entry: entry, detail,
            remedy: "pack the files again as a usual ZIP: stored or deflated")
    }
}

extension ZIPDirectory {
    private struct Entry {
        private static let fixedBytes = 46

        /// The size of its record in the directory.
        let bytes: Int
        let name: [UInt8]
        let flags, method: UInt16
        /// Whether its recorded origin is DOS or a Windows file system.
        let isOfWindows: Bool
        /// The Unix file type in the mode; 0 if another system packed it.
        let unixType: UInt32
        let compressedBytes, offset: UInt32

        init(_ file: borrowing Descriptor, at position: Int, _ path: String) throws(ArchiveError) {
            let fixed = try file.record(Self.fixedBytes, at: position, path)
            guard fixed.starts(with: [0x50, 0x4B, 1, 2]) else {
                throw .damaged("its directory is damaged")
            }
            let nameBytes = Int(fixed.word(28))
            bytes = Self.fixedBytes + nameBytes + Int(fixed.word(30)) + Int(fixed.word(32))
            name = try file.record(nameBytes, at: position + Self.fixedBytes, path)
            (flags, method) = (fixed.word(8), fixed.word(10))
            isOfWindows = [0, 10, 14].contains(fixed[5])  // FAT, NTFS, VFAT
            let isUnix = fixed[5] == 3 || fixed[5] == 19  // the second is macOS
            unixType = isUnix ? fixed.long(38) >> 16 & S_IFMT : 0
            (compressedBytes, offset) = (fixed.long(20), fixed.long(42))
        }

        private var shown: String { EntryPath.shown(name) }

        func check() throws(ArchiveError) {
            guard !name.contains(0) else { throw .badName(name, "its name contains a zero byte") }
            let isUnmarked = flags & ZIPDirectory.utf8Flag == 0
            guard isUnmarked || String(validating: name, as: UTF8.self) != nil else {
                throw .badName(name, "its name is not UTF-8")
            }
            guard [0, S_IFREG, S_IFDIR].contains(unixType) else { throw .notRegularFile(shown) }
            guard flags & ZIPDirectory.encryptedFlags == 0 else { throw .encrypted(shown) }
            guard method == 0 || method == 8 else {
                throw ZIPDirectory.unsupported(
                    "it is compressed by method \(method)", entry: shown)
            }
            guard compressedBytes != .max, offset != .max else {
                throw ZIPDirectory.unsupported("it is larger than 4 GiB", entry: shown)
            }
        }

        /// The bytes of the file that belong to this entry; its local header has to agree.
        func place(
            _ file: borrowing Descriptor, directory: Int, _ path: String
        ) throws(ArchiveError) -> Range<Int> {
            let (start, nameStart) = (Int(offset), 30)
            let header = try file.record(nameStart + name.count, at: start, path)
            guard header.starts(with: [0x50, 0x4B, 3, 4]), header.word(8) == method,
                header.word(6) & ZIPDirectory.encryptedFlags == 0,
                Int(header.word(26)) == name.count, header[nameStart...].elementsEqual(name)
            else {
                throw .damaged("its header contradicts the directory of the archive", entry: shown)
            }
            let end = start + header.count + Int(header.word(28)) + Int(compressedBytes)
            guard end <= directory else { throw .damaged("it ends too early", entry: shown) }
            return start..<end
        }
    }
}

extension Descriptor {
    /// Exactly `count` bytes.
    fileprivate func record(
        _ count: Int, at offset: Int, _ path: String
    ) throws(ArchiveError) -> [UInt8] {
        let found: [UInt8]
        do throws(FileError) { found = try bytes(count, at: offset, path: path) } catch {
            throw ArchiveError(error)
        }
        guard found.count == count else { throw .damaged("it ends too early") }
        return found
    }
}

extension [UInt8] {
    fileprivate func word(_ offset: Int) -> UInt16 {
        UInt16(self[offset]) | UInt16(self[offset + 1]) << 8
    }

    fileprivate func long(_ offset: Int) -> UInt32 {
        UInt32(word(offset)) | UInt32(word(offset + 2)) << 16
    }
}
