import Glibc
import StickerPacks
import StickerSystem
import StickerValues

/// Collects the files to read, within limits.
struct SourceContents {
    private(set) var paths: [String] = []
    private(set) var unpacked: [String: [UInt8]] = [:]
    private(set) var faults: [ImportFault] = []

    private let limits: ImportLimits
    private var entriesLeft: Int
    private var bytesLeft: Int

    init(_ limits: ImportLimits) {
        self.limits = limits
        entriesLeft = limits.filesMax
        bytesLeft = limits.totalBytesMax
    }

    // MARK: Folders

    /// Lists everything below a folder; unreadable subfolders are left out.
    mutating func list(_ top: borrowing Descriptor, shown: String) throws {
        var folders = try list("", below: top, shown: shown)
        while let folder = folders.popLast() {
            do {
                folders += try list(folder, below: top, shown: folder)
            } catch let error as FileError {
                faults.append(ImportFault(error, folder))
            }
        }
    }

    /// Takes the files of one folder.
    ///
    /// - Returns: the folders in it.
    private mutating func list(
        _ folder: String, below top: borrowing Descriptor, shown: String
    ) throws -> [String] {
        let opened = try top.open(
            below: Array(folder.utf8), O_RDONLY | O_DIRECTORY | O_NONBLOCK, shown: shown)
        let listing = try FolderListing(opened, path: shown)
        var folders: [String] = []
        while let entry = try listing.next() {
            guard let path = try path(of: entry, in: folder) else { continue }
            if listing.isFolder(entry) {
                folders.append(path)
            } else if Self.isArchive(path) {
                try unpackInner(path) { () throws(FileError) in
                    try top.open(below: Array(path.utf8), O_RDONLY | O_NONBLOCK, shown: path)
                }
            } else if Self.mayBelongToPack(path) || ArchiveName.ends(path) {
                paths.append(path)
            }
        }
        return folders
    }

    /// The path of an entry; `nil` if it is ignored.
    private mutating func path(
        of entry: FolderListing.Entry, in folder: String
    ) throws(ImportFault) -> String? {
        entriesLeft -= 1
        guard entriesLeft >= 0 else {
            throw ImportFault(
                .tooMany, nil, "there are too many files",
                measured: "more than \(limits.filesMax.grouped)",
                limit: limits.filesMax.grouped, remedy: "name the folder of the pack itself")
        }
        guard !FileKind.isIgnoredName(entry.name) else { return nil }
        guard let name = String(validating: entry.name, as: UTF8.self) else {
            note(FileName.display(entry.name), "its name is not UTF-8", "UTF-8", "rename it")
            return nil
        }
        let path = folder.isEmpty ? name : "\(folder)/\(name)"
        guard path.utf8.count <= limits.pathBytesMax,
            path.utf8.count(where: { $0 == UInt8(ascii: "/") }) < limits.depthMax
        else {
            let limit = "\(limits.pathBytesMax.grouped) bytes and \(limits.depthMax) parts"
            note(path, "its path is too long or too deep", limit, "move it further up")
            return nil
        }
        return path
    }

    private mutating func note(
        _ path: String, _ detail: String, _ limit: String, _ remedy: String
    ) {
        if faults.count < 1000 {
            faults.append(ImportFault(.badName, path, detail, limit: limit, remedy: remedy))
        }
    }

    // MARK: Archives

    /// Unpacks an archive into a folder of the tree.
    ///
    /// - Throws: `ImportFault`; nothing of the archive is unpacked.
    mutating func unpack(
        _ file: consuming Descriptor, _ path: String, into folder: String
    ) throws(ImportFault) {
        var files: [ArchivedFile] = []
        do throws(ArchiveError) {
            var reader = try ArchiveReader(
                file, path: path,
                limits: ArchiveLimits(
                    entriesMax: entriesLeft, fileBytesMax: limits.pictureBytesMax,
                    totalBytesMax: bytesLeft, pathBytesMax: limits.pathBytesMax,
                    depthMax: limits.depthMax))
            while let file = try reader.next() {
                (entriesLeft, bytesLeft) = (entriesLeft - 1, bytesLeft - file.bytes.count)
                if Self.mayBelongToPack(file.path) { files.append(file) }
            }
        } catch {
            throw ImportFault(error, archive: path)
        }
        for file in files {
            let path = folder.isEmpty ? file.path : "\(folder)/\(file.path)"
            // Archives in an archive are unpacked, but not archives in those.
            if Self.isArchive(path), folder.isEmpty {
                try unpackInner(path) { () throws(FileError) in
                    let memory = try Descriptor.memory("archive")
                    try memory.writeAll(file.bytes, path: path)
                    return memory
                }
            } else if unpacked.updateValue(file.bytes, forKey: path) == nil {
                paths.append(path)
            }
        }
    }

    /// Unpacks an inner archive; its faults do not affect others.
    private mutating func unpackInner(
        _ path: String, _ open: () throws(FileError) -> Descriptor
    ) throws(ImportFault) {
        do {
            try unpack(try open(), path, into: path)
        } catch let error as FileError {
            faults.append(ImportFault(error, path))
        } catch let fault as ImportFault {
            faults.append(fault)
        } catch {
            preconditionFailure("reading throws no other errors: \(error)")
        }
    }

    private static func isArchive(_ path: String) -> Bool {
        path.lowercased().hasSuffix(".wastickers")
    }

    /// Pictures, videos, descriptions, and files without extension: pictures are sometimes named by an id.
    private static func mayBelongToPack(_ path: String) -> Bool {
        let name = path.utf8.split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? []
        guard !FileKind.isIgnoredName(name) else { return false }
        let ext = FileName.fileExtension(name)
        return FileKind.pictureExtensions.contains(ext)
            || ["", "json", "txt", "wasticker", "wastickers", "webm", "tgs"].contains(ext)
    }
}
