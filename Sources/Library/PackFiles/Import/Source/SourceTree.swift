import Glibc
public import StickerPacks
import StickerSystem
import StickerValues

/// The source of an import: a folder on the disk, or an archive. Archives of sticker makers in it become folders of
/// their names.
///
/// A folder is listed once, and its files are opened when they are read; no link is followed. An archive is read once,
/// and the files that may belong to a pack stay in memory.
public final class SourceTree: PackTree {
    /// Its name, without the ending of an archive.
    public let name: String
    /// The sorted paths of all files that may belong to a pack.
    public let paths: [String]
    /// Refused archives and names in it.
    public let faults: [ImportFault]

    /// Files from archives, by path; all others are in `folder`.
    private let unpacked: [String: [UInt8]]
    private let folder: Descriptor?

    /// Opens a folder or an archive, which may be reached through links; links below it are not followed.
    ///
    /// - Parameters:
    ///   - path: its path.
    ///   - limits: the limits of an import.
    /// - Throws: `ImportFault`, for an archive with the rules of `ArchiveError.Code`.
    public init(_ path: String, limits: ImportLimits) throws(ImportFault) {
        do {
            let shown = SystemCall.realPath(path)
            name = Self.name(of: shown)
            var contents = SourceContents(limits)
            if try FileStatus(path).kind == .folder {
                let top = try Descriptor(folder: path)
                try contents.list(top, shown: path)
                folder = .some(consume top)
            } else {
                folder = nil
                try contents.unpack(Descriptor(path, O_RDONLY | O_NONBLOCK), path, into: "")
            }
            paths = contents.paths.sorted()
            unpacked = contents.unpacked
            faults = contents.faults
        } catch let error as FileError {
            throw ImportFault(error, path)
        } catch let fault as ImportFault {
            throw fault
        } catch {
            preconditionFailure("reading throws no other errors: \(error)")
        }
    }

    /// The bytes of a file; see `PackTree`.
    ///
    /// - Parameters:
    ///   - path: one of `paths`.
    ///   - bytesMax: the limit.
    /// - Returns: all of them.
    /// - Throws: `ImportFault`.
    public func bytes(at path: String, atMost bytesMax: Int) throws(ImportFault) -> [UInt8] {
        if let bytes = unpacked[path] {
            try ImportFault.check(bytes.count, atMost: bytesMax, path)
            return bytes
        }
        return try read(path) { (size) throws(ImportFault) in
            try ImportFault.check(size, atMost: bytesMax, path)
            return size
        }
    }

    /// The first bytes of a file; see `PackTree`.
    ///
    /// - Parameters:
    ///   - count: the number of bytes.
    ///   - path: one of `paths`.
    /// - Returns: the bytes; fewer if the file is shorter.
    /// - Throws: `ImportFault`.
    public func firstBytes(_ count: Int, at path: String) throws(ImportFault) -> [UInt8] {
        if let bytes = unpacked[path] { return Array(bytes.prefix(count)) }
        return try read(path) { (size) throws(ImportFault) in min(size, count) }
    }

    /// Reads a file on the disk.
    ///
    /// - Parameters:
    ///   - path: one of `paths`.
    ///   - count: returns how many bytes of a file of a given size are read.
    /// - Returns: that many of its bytes.
    /// - Throws: `ImportFault`, including the errors of `count`.
    private func read(
        _ path: String, _ count: (_ size: Int) throws(ImportFault) -> Int
    ) throws(ImportFault) -> [UInt8] {
        do {
            guard let file = try open(path) else {
                throw FileError(call: "open", path: path, errno: ENOENT)
            }
            let status = try FileStatus(file, path: path)
            guard status.kind == .regular else { throw ImportFault.notRegularFile(path) }
            return try file.firstBytes(count(Int(clamping: status.size)), path: path)
        } catch let fault as ImportFault {
            throw fault
        } catch let error as FileError {
            throw ImportFault(error, path)
        } catch {
            preconditionFailure("reading throws no other errors: \(error)")
        }
    }

    private func open(_ path: String) throws(FileError) -> Descriptor? {
        try folder?.open(
            below: Array(path.utf8), O_RDONLY | O_NONBLOCK | O_NOCTTY, shown: path)
    }

    /// The last name of a path without the ending of an archive, or one before it; see `FolderNames`.
    private static func name(of path: String) -> String {
        var names = path.split(separator: "/").map(String.init)
        guard let name = names.popLast() else { return "imported" }
        let endings = ArchiveName.endings + [".wastickers"]
        let ending = endings.first { name.lowercased().hasSuffix($0) && name.count > $0.count }
        return FolderNames.telling(names + [String(name.dropLast(ending?.count ?? 0))])
    }
}
