import CLinux
import FoundationEssentials
import Glibc
public import StickerPacks
import StickerStore
import StickerSystem
import StickerValues

/// Writes packs into a folder: each form completely, or not at all.
public struct PackWriter: Sendable {
    private let out: String
    private let linksPictures: Bool

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - out: the published folder.
    ///   - linksPictures: whether a picture is a hard link to the published file if the file system can do that, so
    ///     that it takes no space. Only for folders that nobody edits.
    public init(out: String, linksPictures: Bool = false) {
        self.out = out
        self.linksPictures = linksPictures
    }

    /// Writes one form of a category's packs, in place of an earlier one.
    ///
    /// - Parameters:
    ///   - packs: packs without a fault.
    ///   - platform: the platform.
    ///   - form: the name of one of its forms.
    ///   - folder: the parent of the form's folder.
    /// - Returns: the form.
    /// - Throws: `PackError`, `FileError` or `ArchiveError`; an earlier form stays.
    public func write(
        _ packs: [Pack], for platform: some PackMaking, as form: String, to folder: String
    ) throws -> WrittenForm {
        let fresh = "\(folder)/.\(form)-\(getpid())"
        defer { try? FileManager.default.removeItem(atPath: fresh) }  // if it is still there
        let files = try fill(fresh, with: packs, for: platform, as: form).map(\.path)
        let bytes = try files.reduce(0) { try $0 + Int(FileStatus("\(fresh)/\($1)").size) }
        try SystemCall.putInPlace(fresh, "\(folder)/\(form)")
        return WrittenForm(name: form, files: files, bytes: bytes)
    }

    /// Writes one form into a new folder, and judges the result as the platform will.
    ///
    /// - Returns: its files, with paths below that folder.
    @discardableResult
    func fill(
        _ fresh: String, with packs: [Pack], for platform: some PackMaking, as form: String
    ) throws -> [PackFile] {
        var folders: Set = [fresh]
        try SystemCall.makeFolders(fresh, mode: 0o755)
        let files = platform.files(of: packs, as: form)
        for file in files {
            let folder = SystemCall.parentFolder(of: "\(fresh)/\(file.path)")
            if folders.insert(folder).inserted { try SystemCall.makeFolders(folder, mode: 0o755) }
            try write(file, below: fresh)
        }
        let findings = platform.findings(in: form) { path in
            // An unreadable file is missing, as it will be for the platform.
            (try? Data(contentsOf: URL(filePath: "\(fresh)/\(path)"))).map { [UInt8]($0) }
        }.filter { $0.severity == .fault }
        if let first = findings.first {
            throw PackError(
                description: "\(platform.platform.rawValue) would refuse the written packs: "
                    + "\(first.rule) \(first.file ?? ""): \(first.detail)")
        }
        for folder in folders { try SystemCall.syncFolder(folder) }
        return files
    }

    private func write(_ file: PackFile, below folder: String) throws {
        let path = "\(folder)/\(file.path)"
        if case .picture(let picture) = file.content, linksPictures {
            _ = try bytes(of: picture)
            if link("\(out)/\(picture.path)", path) == 0 { return }
        }
        let target = try Descriptor(path, O_WRONLY | O_CREAT | O_EXCL, mode: 0o644)
        switch file.content {
        case .bytes(let bytes): try target.writeAll(bytes, path: path)
        case .picture(let picture): try target.writeAll(bytes(of: picture), path: path)
        case .joined(let pieces):
            for piece in pieces {
                switch piece {
                case .bytes(let bytes): try target.writeAll(bytes, path: path)
                case .base64(let picture):
                    let text = Data(try bytes(of: picture)).base64EncodedString()
                    try target.writeAll(Array(text.utf8), path: path)
                }
            }
        case .archive(let kind, let files):
            let items = try files.map { ArchiveItem($0.path, try content(of: $0)) }
            let format: ArchiveFormat = kind == .zip ? .zip : .tarGzip
            try ArchiveWriter.write(items, as: format, to: target, path: path)
        }
        try SystemCall.run("fsync", path) { fsync(target.raw) }
    }

    private func content(of file: PackFile) throws -> ArchiveItem.Content {
        switch file.content {
        case .bytes(let bytes): return .bytes(bytes)
        case .picture(let picture): return .bytes(try bytes(of: picture))
        case .joined, .archive: preconditionFailure("an archive holds texts and pictures")
        }
    }

    /// A published picture must match its name to be handed over.
    private func bytes(of picture: PublishedPicture) throws -> [UInt8] {
        let path = "\(out)/\(picture.path)"
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try Descriptor(path, O_RDONLY | O_NOFOLLOW).readToEnd(path: path)
        } catch {
            guard error.kind == .vanished else { throw error }
            throw PackError(lacking: picture, at: path, "is gone")
        }
        guard ContentHash(of: bytes) == picture.sha256 else {
            throw PackError(lacking: picture, at: path, "is damaged")
        }
        return bytes
    }
}

extension SystemCall {
    /// Moves a folder to its place; afterwards `fresh` is the former one.
    static func putInPlace(_ fresh: String, _ path: String) throws(FileError) {
        guard access(path, F_OK) == 0 else { return try move(fresh, to: path) }
        try run("renameat2", path) { clinux_exchange(fresh, path) }
        try syncFolder(parentFolder(of: path))
    }
}

/// A form of packs, as written.
public struct WrittenForm: Hashable, Sendable, Codable {
    /// The name of the form and of its folder.
    public var name: String
    /// The paths of its files below that folder, in writing order.
    public var files: [String]
    /// The bytes of all its files.
    public var bytes: Int
}
