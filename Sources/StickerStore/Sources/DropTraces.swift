import CLinux
import GRDB
import StickerModel
import StickerSystem

/// A drop that files were recorded in.
struct KnownDrop {
    /// Where it is, or was last.
    var path: String
    /// The folder's inode; `nil` if it was never seen.
    var inode: UInt64?

    /// Whether its folder is not at its path.
    var hasLeft: Bool {
        guard let status = try? FileStatus(path) else { return true }
        return status.identity.inode != inode
    }
}

/// What the books know of a drop, by which its folder can be told under another path.
struct DropTraces {
    /// A file of the drop, as it was seen last.
    struct File {
        var key: SourceKey
        var version: FileVersion
    }

    /// Enough to tell a drop from another one; few enough to be looked at in a moment.
    static let filesMax = 100

    var drop: KnownDrop
    /// Present files from all over the drop.
    var files: [File]

    /// Looks for the files in the folder at `path`, without following links below it.
    func agreement(withFolderAt path: String, inode: UInt64) -> DropAgreement {
        var agreement = DropAgreement(isSameFolder: drop.inode == inode)
        // Discarding the errors is right: what cannot be seen does not agree.
        guard !files.isEmpty, let root = try? Descriptor(folder: path) else { return agreement }
        for file in files {
            let shown = file.key.display
            guard
                let found = try? root.open(
                    below: file.key.relativePath, clinux_open_path_flag(), shown: shown),
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

/// How far a folder agrees with a drop. The device number says nothing: it changes with every mount.
struct DropAgreement: Equatable {
    /// Whether the inode of the folder is the same.
    var isSameFolder: Bool
    /// The share of the files that are there with the same size.
    var alike = 0.0
    /// The share that are the same files, by inode, size and time.
    var identical = 0.0

    /// Whether it is the drop: for a path that is no longer listed, files that are alike will do, because a
    /// copy on another disk is what took its place. One that is listed has to have been moved as it is.
    func tellsDrop(isListed: Bool) -> Bool {
        isListed ? isSameFolder && identical >= Self.shareMin : alike >= Self.shareMin
    }

    /// Files are added, changed and removed while nobody looks.
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
            drops.append(KnownDrop(path: next, inode: try inode(ofDrop: next)))
        }
        return drops
    }

    /// What is known of a drop.
    func traces(of drop: KnownDrop) throws -> DropTraces {
        DropTraces(
            drop: drop,
            files: try rows(
                """
                SELECT \(SourceRow.columns) FROM source WHERE drop_path = ? AND present = 1
                ORDER BY source.id * 2654435761 % 4294967296 LIMIT ?
                """, [drop.path, DropTraces.filesMax]
            ).map { row in
                let source = try SourceRow(row)
                return DropTraces.File(key: source.key, version: source.version)
            })
    }

    /// The inode of the folder that was at `drop` when its files were recorded.
    func inode(ofDrop drop: String) throws -> UInt64? {
        try note("drop " + drop).flatMap { UInt64($0) }
    }

    /// Live stickers of a drop.
    func stickers(ofDrop drop: String) throws -> Int {
        try count(
            """
            SELECT count(*) FROM source
            WHERE drop_path = ? AND sticker IS NOT NULL AND output IS NOT NULL
            """, [drop])
    }
}
