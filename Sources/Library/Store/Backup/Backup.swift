import CLinux
import Glibc
import StickerSystem
import StickerValues

/// Copies a library into a folder; the daemon may run meanwhile.
///
/// The database is copied as it is at one moment, with all ids, words and the ids of removed stickers. The published
/// files are optional: without them, they are made again from the drops.
public struct Backup {
    private let folder: String

    /// Prepares a folder for a new backup.
    ///
    /// - Parameter folder: an absolute path; an existing folder must be empty and writable.
    /// - Throws: `FolderError` if it is not.
    public init(in folder: String) throws(FolderError) {
        let first: FolderListing.Entry?
        do {
            first = try FolderListing(folder).next()
        } catch {
            throw FolderError(
                """
                \(folder) cannot be read by \(SystemCall.userName): \(SystemCall.message(error.errno)); name a folder \
                below one that this user may enter, /var/backups for example
                """)
        }
        guard first == nil else {
            throw FolderError("\(folder) is not empty; every backup takes a folder of its own")
        }
        guard access(folder, W_OK | X_OK) == 0 else {
            throw FolderError("\(folder) cannot be written: \(SystemCall.message(errno))")
        }
        self.folder = folder
    }

    /// Makes the backup.
    ///
    /// - Parameters:
    ///   - store: the database.
    ///   - configuration: the bytes of the configuration's file, and its path; `nil` if there is none.
    ///   - out: the published folder, if its pictures are wanted, too.
    /// - Returns: the contents of the backup.
    /// - Throws: `StoreError`, `FileError` or `FolderError`; without its record the folder is no backup.
    public func make(
        of store: LibraryStore, configuration: (bytes: [UInt8], path: String)?, out: String?
    ) throws -> BackupRecord {
        let createdAt = store.now
        let path = "\(folder)/\(BackupName.database)"
        try store.copy(to: path)
        if let configuration {
            try AtomicFile.replace(
                "\(folder)/\(BackupName.configuration)", with: configuration.bytes)
        }
        let copy = try LibraryStore(path: path, access: .reader)
        let status = try copy.operations.status(countsOutdated: false)
        var record = BackupRecord(
            createdAt: createdAt, configuration: configuration?.path,
            database: try BackupRecord.Database(path), stickers: status.stickers,
            categories: status.categories, removed: try copy.removedStickers())
        if let out { record.pictures = try copyPictures(try copy.publishedFiles(), from: out) }
        try copy.close()
        let json = [UInt8](try StoredJSON.encode(record))
        try AtomicFile.replace("\(folder)/\(BackupName.record)", with: json)
        return record
    }

    /// Copies the files that the database names. Manifests are not copied: the next start writes them.
    private func copyPictures(
        _ paths: [String], from out: String
    ) throws(FileError) -> BackupRecord.Pictures {
        var pictures = BackupRecord.Pictures()
        var shards: Set<String> = []
        for path in paths {
            // A file that cannot be read is missing; the daemon reports why when it examines its files.
            guard let bytes = try? PublishedFile.intact("\(out)/\(path)") else {
                pictures.missing.append(path)
                continue
            }
            let target = "\(folder)/\(BackupName.out)/\(path)"
            let shard = SystemCall.parentFolder(of: target)
            if shards.insert(shard).inserted { try SystemCall.makeFolders(shard, mode: 0o755) }
            let file = try Descriptor(target, O_WRONLY | O_CREAT | O_EXCL, mode: 0o644)
            try file.writeAll(bytes, path: target)
            pictures.files += 1
            pictures.bytes += bytes.count
        }
        let root = try Descriptor(folder, O_RDONLY | O_DIRECTORY)
        try SystemCall.run("syncfs", folder) { clinux_sync_file_system(root.raw) }
        return pictures
    }
}

/// A published file, whose name is the hash of its content.
enum PublishedFile {
    /// The bytes of a file if their hash matches its name; otherwise `nil`.
    static func intact(_ path: String) throws(FileError) -> [UInt8]? {
        let bytes = try Descriptor(path, O_RDONLY | O_NOFOLLOW).readToEnd(path: path)
        let name = path.split(separator: "/").last ?? ""
        return name.hasPrefix("\(ContentHash(of: bytes).rawValue).") ? bytes : nil
    }
}

extension BackupRecord.Database {
    /// Reads the figures of the database at `path`.
    init(_ path: String) throws(FileError) {
        let file = try Descriptor(path, O_RDONLY | O_NOFOLLOW)
        var hash = SHA256()
        var count = 0
        try file.readParts(of: 1 << 20, path: path) { part in
            hash.update(part)
            count += part.count
        }
        (bytes, sha256) = (count, hash.finish())
    }
}
