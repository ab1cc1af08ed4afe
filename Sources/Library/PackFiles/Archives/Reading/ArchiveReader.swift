import Glibc
import StickerSystem

/// A file from an archive.
struct ArchivedFile: Hashable, Sendable {
    /// Its path in the archive; parts are separated by `/`, and none is empty, `.` or `..`.
    var path: String
    /// Its content.
    var bytes: [UInt8]
}

/// Reads an untrusted archive: a ZIP, or a tape archive, optionally in gzip.
///
/// Skips folders and the additions of macOS: `__MACOSX/`, `.DS_Store` and `._*`. Archives within archives are ordinary
/// files. After an error there are no more files.
struct ArchiveReader: ~Copyable {
    private let handle: ArchiveHandle
    private let isTape: Bool
    private let limits: ArchiveLimits
    private var budget: ArchiveBudget
    private var paths: EntryPaths
    private var names: ZIPNames
    private var isFinished: Bool

    /// Opens an archive and, if it is a ZIP, checks its directory.
    ///
    /// - Parameters:
    ///   - file: a regular file, or memory with a descriptor; it is read from its start.
    ///   - path: the name of the archive in errors of the system.
    ///   - limits: the limits of the output.
    /// - Throws: `ArchiveError`.
    init(
        _ file: consuming Descriptor, path: String, limits: ArchiveLimits
    ) throws(ArchiveError) {
        let opening = try Opening(file, path)
        let budget = ArchiveBudget(limits, archiveBytes: opening.bytes)
        var directoryNames: [ZIPNames.Name] = []
        if opening.form == .zip {
            let directory = try ZIPDirectory(
                file, bytes: opening.bytes, path: path, limits: limits)
            handle = try ArchiveHandle(zip: file, path: path, isEmpty: directory.names.isEmpty)
            directoryNames = directory.names
        } else {
            handle = try Self.openTape(
                file, opening.form, path: path, bytesMax: budget.tapeBytesMax)
        }
        isFinished = false
        isTape = opening.form != .zip
        self.limits = limits
        self.budget = budget
        paths = EntryPaths()
        names = ZIPNames(directoryNames)
    }

    private static func openTape(
        _ file: consuming Descriptor, _ form: Opening.Form, path: String, bytesMax: Int
    ) throws(ArchiveError) -> ArchiveHandle {
        guard form == .gzip else { return try ArchiveHandle(tar: file, path: path) }
        let source = try GzipSource(file, path: path, bytesMax: bytesMax)
        return try ArchiveHandle(tarGzip: source, path: path)
    }

    /// The next file, in the order of the archive, with all its bytes.
    ///
    /// Files of a ZIP are compared with their checksums one by one, those of a tape archive in gzip all together at the
    /// end: only `nil` confirms them.
    ///
    /// - Returns: the file; `nil` at the end.
    /// - Throws: `ArchiveError`, which names the first refused entry.
    mutating func next() throws(ArchiveError) -> ArchivedFile? {
        guard !isFinished else { return nil }
        isFinished = true  // in case of an error
        while let found = try handle.nextEntry() {
            try budget.addEntry()
            let entry = names.named(found)
            let path = try check(entry)
            // Skipped entries are read as well, as they take as much time.
            let bytes = try read(path)
            // libarchive leaves out the hole at the end of a sparse file.
            guard entry.kind == .folder || [nil, bytes.count].contains(entry.bytes) else {
                throw .damaged("it has another size than its header says", entry: path.text)
            }
            if entry.kind == .folder || path.isLitter { continue }
            try paths.insert(path)
            isFinished = false
            return ArchivedFile(path: path.text, bytes: bytes)
        }
        if isTape { try handle.checkEndOfTape() }
        return nil
    }

    private func check(_ entry: ArchiveHandle.Entry) throws(ArchiveError) -> EntryPath {
        let path = try EntryPath(
            entry.name, isFolder: entry.kind == .folder, bytesMax: limits.pathBytesMax,
            depthMax: limits.depthMax)
        guard !entry.isEncrypted else { throw .encrypted(path.text) }
        guard entry.kind != .other else { throw .notRegularFile(path.text) }
        return path
    }

    private mutating func read(_ path: EntryPath) throws(ArchiveError) -> [UInt8] {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 1)
        defer { buffer.deallocate() }
        var bytes: [UInt8] = []
        while true {
            let count = try handle.read(into: buffer, entry: path.text)
            guard count > 0 else { return bytes }
            try budget.add(count, of: path, fileBytes: bytes.count + count)
            bytes += buffer[..<count]
        }
    }
}

/// The beginning of a file.
private struct Opening {
    enum Form {
        case zip, gzip, tar
    }

    let form: Form
    let bytes: Int

    /// Seeks to the start of the file.
    init(_ file: borrowing Descriptor, _ path: String) throws(ArchiveError) {
        var first: [UInt8] = []
        let status: FileStatus
        do throws(FileError) {
            status = try FileStatus(file, path: path)
            if status.kind == .regular {
                first = try file.firstBytes(Self.tapeBlockBytes, path: path)
                try file.seekToStart(path: path)
            }
        } catch {
            throw ArchiveError(error)
        }
        bytes = Int(status.size)
        if first.starts(with: [0x50, 0x4B, 3, 4]) || first.starts(with: [0x50, 0x4B, 5, 6]) {
            form = .zip
        } else if first.starts(with: [0x1F, 0x8B]) {
            form = .gzip
        } else if first.count == Self.tapeBlockBytes {
            form = .tar
        } else {
            throw ArchiveError.notAnArchive
        }
    }

    private static let tapeBlockBytes = 512
}
