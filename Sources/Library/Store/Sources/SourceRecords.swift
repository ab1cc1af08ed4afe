import GRDB
import StickerSystem
import Synchronization

/// The files of the drops, present and missing, as recorded.
public struct SourceRecords: Transacting {
    let connection: StoreConnection

    /// The inode of the folder that was at `drop` when its files were recorded; `nil` before that.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    public func inode(ofDrop drop: String) throws(StoreError) -> UInt64? {
        try read { try $0.inode(ofDrop: drop) }
    }

    /// Records that the files of `drop` are in the folder with this inode.
    ///
    /// - Throws: `StoreError`; the old number stays.
    public func note(inode: UInt64, ofDrop drop: String) throws(StoreError) {
        try write { try $0.setNote("drop " + drop, String(inode)) }
    }

    /// Ends the grace of files that vanished just before their drop was lost: they do not count as missing. Files still
    /// missing once the drop is back are found by comparing the folders.
    ///
    /// - Throws: `StoreError`; nothing was changed.
    public func disbelieveMissing(inDrop drop: String) throws(StoreError) {
        try write { transaction in
            _ = try transaction.run(
                """
                UPDATE source INDEXED BY source_missing SET present = 1, missing_since = NULL
                WHERE drop_path = ? AND missing_since IS NOT NULL AND held IS NULL
                """, [drop])
        }
    }

    /// Holds back the jobs of a drop while its folder is missing, or releases them.
    ///
    /// Not stored: after a start every drop counts as present until it is missed.
    public func hold(drop: String, isAbsent: Bool) {
        connection.drops.withLock {
            if isAbsent { $0.absent.insert(drop) } else { $0.absent.remove(drop) }
        }
    }

    /// Drops that are missing.
    public var heldDrops: Set<String> { connection.drops.withLock { $0.absent } }

    /// Notes that a drop was fully scanned: files missed from now on vanish later.
    public func scanEnded(ofDrop drop: String) {
        connection.drops.withLock { $0.endScan(of: drop) }
    }

    /// Live stickers of a drop.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    public func stickers(ofDrop drop: String) throws(StoreError) -> Int {
        try read { try $0.stickers(ofDrop: drop) }
    }

    /// Whether the folder at a drop's path holds the recorded files.
    ///
    /// Reads the folder: do not call it where a hanging share would do harm.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    public func isAlike(drop: String, inode: UInt64) throws(StoreError) -> Bool {
        let files = try read { try $0.traces(ofDrop: drop) }
        // A folder that cannot be opened is no known drop.
        guard let folder = try? Descriptor(folder: drop) else { return false }
        return files.agreement(with: folder, isSameFolder: false).tellsDrop(isListed: false)
    }
}
