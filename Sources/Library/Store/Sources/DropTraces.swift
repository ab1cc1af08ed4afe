import CLinux
import GRDB
import StickerSystem
import StickerValues

/// A drop that files were recorded in.
struct KnownDrop {
    /// Its present or last path.
    var path: String
    /// The folder's inode; `nil` if it was never seen.
    var inode: UInt64?

    /// Whether its folder is not at its path.
    var hasLeft: Bool {
        guard let status = try? FileStatus(path) else { return true }
        return status.identity.inode != inode
    }
}

/// Recorded files of a folder, by which it is recognised under another name.
struct FolderTraces {
    /// A file as last seen.
    struct File {
        /// Its path in the folder.
        var path: [UInt8]
        var version: FileVersion
    }

    /// Enough to tell folders apart; few enough to check in a moment.
    static let filesMax = 100

    /// Files from all over the folder.
    var files: [File]

    /// Looks for the files in an open folder, without following links below it.
    func agreement(with folder: borrowing Descriptor, isSameFolder: Bool) -> FolderAgreement {
        var agreement = FolderAgreement(isSameFolder: isSameFolder)
        for file in files {
            let shown = FileName.display(file.path)
            // Discarding the errors is right: unreadable files do not match.
            guard
                let found = try? folder.open(
                    below: file.path, clinux_open_path_flag(), shown: shown),
                let status = try? FileStatus(found, path: shown),
                status.kind == .regular, status.size == file.version.size
            else { continue }
            agreement.alike += 1 / Double(files.count)
            let version = status.version
            guard version.inode == file.version.inode, version.mtime == file.version.mtime else {
                continue
            }
            agreement.identical += 1 / Double(files.count)
        }
        return agreement
    }
}

/// How far a folder matches a known one. The device number is ignored: it changes with every mount.
struct FolderAgreement: Equatable {
    /// Whether the inode of the folder is the same.
    var isSameFolder: Bool
    /// The share of files present with the same size.
    var alike = 0.0
    /// The share of identical files, by inode, size and time.
    var identical = 0.0

    /// Whether it is a drop that left its path. For an unlisted path, files that are alike are enough, because a copy
    /// on another disk took its place. A listed one must have been moved as it is.
    func tellsDrop(isListed: Bool) -> Bool {
        isListed ? isSameFolder && identical >= Self.shareMin : alike >= Self.shareMin
    }

    /// Files are added, changed and removed while the daemon is not running.
    private static let shareMin = 0.5
}

extension StoreTransaction {
    /// The drops that files were recorded in, by path.
    func knownDrops() throws -> [KnownDrop] {
        var drops: [KnownDrop] = []
        // One step of the index for each drop.
        while let next: String = try value(
            "SELECT drop_path FROM source WHERE drop_path > ? ORDER BY drop_path LIMIT 1",
            [drops.last?.path ?? ""])
        {
            // Stickers without a file come last, and are in no drop.
            guard !next.hasPrefix(SourceRow.trashPrefix) else { break }
            drops.append(KnownDrop(path: next, inode: try inode(ofDrop: next)))
        }
        return drops
    }

    /// Traces of the present files of a drop.
    func traces(ofDrop drop: String) throws -> FolderTraces {
        try traces("drop_path = ? AND present = 1", [drop], below: [])
    }

    /// Traces of some of the files below `directory` that `condition` selects.
    func traces(
        _ condition: String, _ arguments: StatementArguments, below directory: [UInt8]
    ) throws -> FolderTraces {
        let prefix = directory.isEmpty ? 0 : directory.count + 1
        return FolderTraces(
            files: try rows(
                """
                SELECT \(SourceRow.columns) FROM source WHERE \(condition)
                ORDER BY source.id * 2654435761 % 4294967296 LIMIT \(FolderTraces.filesMax)
                """, arguments
            ).map { row in
                let source = try SourceRow(row)
                return FolderTraces.File(
                    path: Array(source.key.relativePath.dropFirst(prefix)),
                    version: source.version)
            })
    }

    /// The inode of the folder that was at `drop` when its files were recorded.
    func inode(ofDrop drop: String) throws -> UInt64? {
        try note("drop " + drop).flatMap { UInt64($0) }
    }

    func stickers(ofDrop drop: String) throws -> Int {
        try count(
            """
            SELECT count(*) FROM source
            WHERE drop_path = ? AND sticker IS NOT NULL AND output IS NOT NULL
            """, [drop])
    }
}
