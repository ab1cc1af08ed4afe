import FoundationEssentials
import Glibc
public import StickerConfiguration
public import StickerSystem
public import StickerValues

/// Creates a library from a backup, where there is none.
///
/// The next start publishes all manifests and examines every file of the drops: unchanged ones keep their stickers and
/// ids, whatever their inodes are.
public struct Restore {
    /// The stickers and files that are not as they were.
    public struct Losses: Hashable, Sendable {
        /// Published files of the backup that were damaged and are made again.
        public var damaged: [String] = []
        /// Stickers whose pictures are not in the backup, nor their files in the drops now. They are made again if the
        /// files come back before the start.
        public var withoutFile: [StickerID] = []
    }

    /// The contents of the backup.
    public let record: BackupRecord
    private let folder: String

    /// Opens a backup.
    ///
    /// - Parameter folder: an absolute path.
    /// - Throws: `FolderError` if it is no backup, or one that this release cannot read.
    public init(from folder: String) throws(FolderError) {
        self.folder = folder
        let path = "\(folder)/\(BackupName.record)"
        do {
            let json = Data(try Descriptor(path, O_RDONLY | O_NOFOLLOW).readToEnd(path: path))
            let form = try StoredJSON.decode(BackupForm.self, json: json)
            guard form.version <= BackupRecord.currentVersion else {
                throw FolderError(
                    "\(folder) was made by stickerd \(form.stickerd); install that one")
            }
            record = try StoredJSON.decode(BackupRecord.self, json: json)
        } catch let error as FolderError {
            throw error
        } catch let error as FileError {
            let why = error.kind == .vanished ? "it has no \(BackupName.record)" : "\(error)"
            throw FolderError("\(folder) is not a complete backup: \(why)")
        } catch {
            throw FolderError("\(path) is damaged: \(error)")
        }
    }

    /// The configuration of the library; `nil` if it had no file.
    ///
    /// - Throws: `FileError` if it cannot be read.
    public func configuration() throws(FileError) -> [UInt8]? {
        guard record.configuration != nil else { return nil }
        let path = "\(folder)/\(BackupName.configuration)"
        return try Descriptor(path, O_RDONLY | O_NOFOLLOW).readToEnd(path: path)
    }

    /// Puts pictures and database in place, the database last, if there is no library and no daemon runs.
    ///
    /// - Parameter target: the configuration of the new library, with absolute paths.
    /// - Returns: what is not as it was.
    /// - Throws: `FolderError`, `FileError` or `StoreError`; nothing that existed is changed, and repeating the call
    ///   continues.
    public func run(into target: Configuration) throws -> Losses {
        try SystemCall.makeFolders(target.state, mode: 0o700)
        let lock = try StateLock.take(state: target.state)
        defer { withExtendedLifetime(lock) {} }
        try check(for: target)
        let path = "\(target.state)/\(LibraryStore.fileName)"
        let fresh = "\(path).restored"
        defer {
            DatabaseFile.remove(fresh)
            // There is no rollback to the release that made the backup.
            EarlierDatabase.remove(beside: fresh)
        }
        DatabaseFile.remove(fresh)
        try DatabaseFile.copy("\(folder)/\(BackupName.database)", to: fresh)
        let store = try LibraryStore(path: fresh, policy: StorePolicy(target))
        // Also without pictures: a daemon does not start without the folder in which it has published.
        try SystemCall.makeFolders(target.out, mode: 0o755)
        var losses = Losses()
        if record.pictures == nil {
            losses.withoutFile = try store.stickersWithoutFile(in: target.drops)
        } else {
            losses.damaged = try put(store.publishedFiles(), into: target.out)
        }
        try store.continueAfterLoss(since: record.createdAt)
        try store.close()
        guard try DatabaseFile.isWhole(fresh) else {
            throw FolderError(
                "\(fresh) is in use by another program; stop that program and try again")
        }
        try DatabaseFile.sync(fresh)
        // Nor to the former database.
        EarlierDatabase.remove(beside: path)
        DatabaseFile.remove(path)
        try SystemCall.move(fresh, to: path)
        return losses
    }

    /// Checks that nothing is in the way, and that the backup is complete.
    private func check(for target: Configuration) throws {
        let database = "\(folder)/\(BackupName.database)"
        guard try BackupRecord.Database(database) == record.database else {
            throw FolderError("\(database) is damaged: it is not the file that was copied")
        }
        let now = StoreClock.system.wall()
        guard record.createdAt.milliseconds <= now else {
            throw FolderError(
                """
                the clock says \(now.asDate), and the backup was made at \(record.createdAt.asDate): set the \
                clock, so that published files count as newer than the lost ones
                """)
        }
        let present = "\(target.state)/\(LibraryStore.fileName)"
        guard try Self.holdsNothing(present) else {
            throw FolderError(
                """
                there is a library already: \(present). To go back to the backup, stop the daemon and move that \
                file and \(target.out) away
                """)
        }
        guard try Rebuild.hasPublished(target.out) else { return }
        throw FolderError(
            """
            \(target.out) is published: \(stickerctl: "rebuild") makes the database from it, and no \
            id is lost. To go back to the backup instead, move \(target.out) away
            """)
    }

    /// Whether there is no database, or one without any file or id.
    private static func holdsNothing(_ path: String) throws -> Bool {
        guard access(path, F_OK) == 0 else { return true }
        let store = try LibraryStore(path: path, access: .reader)
        let holdsNothing = try store.isEmpty() && store.removedStickers() == 0
        try store.close()
        return holdsNothing
    }

    /// Returns the paths of files whose bytes do not match their names.
    private func put(_ paths: [String], into out: String) throws -> [String] {
        let objects = try ObjectStore(out: out)
        var damaged: [String] = []
        for start in stride(from: 0, to: paths.count, by: Self.filesAtOnce) {
            let batch = paths[start..<min(start + Self.filesAtOnce, paths.count)]
            let staged = try batch.compactMap { path throws -> StagedObjects? in
                let file = "\(folder)/\(BackupName.out)/\(path)"
                guard let format = Self.format(of: path),
                    // Unreadable files are made again, like damaged ones.
                    let bytes = try? PublishedFile.intact(file)
                else {
                    if record.pictures?.missing.contains(path) == false { damaged.append(path) }
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
