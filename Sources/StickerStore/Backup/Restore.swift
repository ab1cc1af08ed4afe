import FoundationEssentials
import Glibc
public import StickerModel
public import StickerSystem

/// Makes a library of a backup, where there is none.
///
/// The next start publishes all manifests and looks at every file of the drops: those that have not changed keep their
/// stickers and ids, whatever their inodes are now.
public struct Restore {
    /// What the backup holds.
    public let record: BackupRecord
    private let folder: String

    /// Looks at a backup.
    ///
    /// - Parameter folder: an absolute path.
    /// - Throws: `FolderError` if it is no backup, or one that this release cannot read.
    public init(from folder: String) throws(FolderError) {
        self.folder = folder
        let path = "\(folder)/\(BackupName.record)"
        do {
            let json = try Descriptor(path, O_RDONLY | O_NOFOLLOW).readToEnd(path: path)
            record = try StoredJSON.decode(BackupRecord.self, json: Data(json))
        } catch let error as FileError {
            let why = error.kind == .vanished ? "it has no \(BackupName.record)" : "\(error)"
            throw FolderError("\(folder) is no whole backup: \(why)")
        } catch {
            throw FolderError("\(path) makes no sense: \(error)")
        }
        guard record.version <= BackupRecord.currentVersion else {
            throw FolderError("\(folder) was made by stickerd \(record.stickerd); install that one")
        }
    }

    /// The configuration that the library had; `nil` if it had no file.
    ///
    /// - Throws: `FileError` if it cannot be read.
    public func configuration() throws(FileError) -> [UInt8]? {
        guard record.configuration != nil else { return nil }
        let path = "\(folder)/\(BackupName.configuration)"
        return try Descriptor(path, O_RDONLY | O_NOFOLLOW).readToEnd(path: path)
    }

    /// Checks that nothing is in the way, and that the backup is whole.
    ///
    /// - Parameter target: the configuration of the library that is to be, with absolute paths.
    /// - Throws: `FolderError`, `FileError` or `StoreError`.
    public func check(for target: Configuration) throws {
        let database = "\(folder)/\(BackupName.database)"
        guard try BackupRecord.Database(database) == record.database else {
            throw FolderError("\(database) is damaged: it is not the file that was copied")
        }
        let present = "\(target.state)/\(JobStore.fileName)"
        if access(present, F_OK) == 0 {
            let store = try JobStore(path: present, access: .reader)
            guard try store.isEmpty() else {
                throw FolderError(
                    """
                    there is a library already: \(present). To go back to the backup, stop the daemon and move that \
                    file and \(target.out) away
                    """)
            }
            try store.close()
        }
        guard try Rebuild.hasPublished(target.out) else { return }
        throw FolderError(
            """
            \(target.out) is published: stickerctl rebuild makes the database of it, which loses no id. To go \
            back to the backup instead, move \(target.out) away
            """)
    }

    /// Puts pictures and database in place, the database last; a daemon must not run.
    ///
    /// - Parameter target: the configuration of the library that is to be, with absolute paths.
    /// - Returns: published files of the backup that were damaged and are made again.
    /// - Throws: `FolderError`, `FileError` or `StoreError`; repeating the call continues.
    public func run(into target: Configuration) throws -> [String] {
        try SystemCall.makeFolders(target.state, mode: 0o700)
        let lock = try StateLock.take(state: target.state)
        defer { withExtendedLifetime(lock) {} }
        let path = "\(target.state)/\(JobStore.fileName)"
        let fresh = "\(path).restored"
        for suffix in ["", "-wal", "-shm"] { unlink(fresh + suffix) }
        try copyDatabase(to: fresh)
        let store = try JobStore(path: fresh, policy: StorePolicy(target))
        let damaged =
            record.pictures == nil ? [] : try put(store.publishedFiles(), into: target.out)
        try store.continueAfterLoss(since: record.createdAt)
        try store.close()
        guard try Self.isInOneFile(fresh) else {
            throw FolderError("\(fresh) is in use by another program; end that and try again")
        }
        for suffix in ["-wal", "-shm", ""] { unlink(path + suffix) }
        try SystemCall.run("rename", path) { rename(fresh, path) }
        for suffix in ["-wal", "-shm"] { unlink(fresh + suffix) }
        try SystemCall.syncFolder(target.state)
        return damaged
    }

    /// Whether everything was written back into the main file.
    private static func isInOneFile(_ path: String) throws(FileError) -> Bool {
        let log = "\(path)-wal"
        guard access(log, F_OK) == 0 else { return true }
        return try FileStatus(log).size == 0
    }

    private func copyDatabase(to path: String) throws(FileError) {
        let from = "\(folder)/\(BackupName.database)"
        let source = try Descriptor(from, O_RDONLY | O_NOFOLLOW)
        let target = try Descriptor(path, O_WRONLY | O_CREAT | O_EXCL, mode: 0o644)
        try source.readParts(of: 1 << 20, path: from) { part throws(FileError) in
            try target.writeAll(part, path: path)
        }
        try SystemCall.run("fsync", path) { fsync(target.raw) }
    }

    /// Returns the paths of files that are not what their names say.
    private func put(_ paths: [String], into out: String) throws -> [String] {
        let objects = try ObjectStore(out: out)
        var damaged: [String] = []
        for start in stride(from: 0, to: paths.count, by: Self.filesAtOnce) {
            let batch = paths[start..<min(start + Self.filesAtOnce, paths.count)]
            let staged = try batch.compactMap { path throws -> StagedObjects? in
                let file = "\(folder)/\(BackupName.out)/\(path)"
                guard let format = Self.format(of: path),
                    // What cannot be read is made again, like what is damaged.
                    let bytes = try? PublishedFile.intact(file)
                else {
                    if record.pictures?.lacking.contains(path) == false { damaged.append(path) }
                    return nil
                }
                return try objects.stage([NewObject(bytes: bytes, format: format)])
            }
            if let error = objects.commit(staged).compactMap(\.self).first { throw error }
        }
        return damaged
    }

    /// Their bytes are in memory together.
    private static let filesAtOnce = 64

    private static func format(of path: String) -> ImageFormat? {
        ImageFormat.allCases.first { path.hasSuffix(".\($0.fileExtension)") }
    }
}
