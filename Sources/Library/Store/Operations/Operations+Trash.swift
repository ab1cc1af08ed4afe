import FoundationEssentials
import GRDB
public import StickerValues

/// A removed sticker whose pictures are still kept.
public struct TrashedSticker: Hashable, Sendable, Encodable {
    /// Its id.
    public var sticker: StickerID
    /// The published title.
    public var title: String
    /// The category that showed it.
    public var category: CategoryID
    /// The file it was made from, below its drop and escaped; absent if it had none.
    public var file: String?
    /// When it was removed.
    public var removedAt: Timestamp
    /// Until when it can be restored; absent while another sticker shows the same pictures.
    public var keptUntil: Timestamp?
}

/// The result of restoring a sticker from the trash, or of putting it there.
public enum TrashOutcome: Hashable, Sendable {
    /// It was done; the category changed.
    case done(CategoryID)
    /// There is no such sticker.
    case unknown
    /// It is published.
    case published
    /// Its file exists, so only removing the file removes the sticker.
    case hasFile
    /// Its pictures are no longer kept.
    case cleared
}

extension Operations {
    /// Removed stickers that can be restored, the last removed first.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    public func trash() throws(StoreError) -> [TrashedSticker] {
        try read { transaction in
            try transaction.rows(
                """
                SELECT removal.sticker, removal.title, removal.category, removal.file,
                    removal.removed_at, output.keep_until
                FROM removal JOIN sticker ON sticker.id = removal.sticker
                JOIN output ON output.id = removal.output
                    AND output.content = coalesce(removal.drawing, removal.content)
                WHERE sticker.entry IS NULL AND output.is_lost = 0
                ORDER BY removal.removed_at DESC, removal.sticker
                """
            ).map { row in
                TrashedSticker(
                    sticker: StickerID(rawValue: row[0]), title: row[1],
                    category: CategoryID(rawValue: row[2]), file: row[3],
                    removedAt: Timestamp(milliseconds: row[4]),
                    keptUntil: (row[5] as Int64?).map(Timestamp.init(milliseconds:)))
            }
        }
    }

    /// Publishes a removed sticker again, under its id and with its former files: nothing is encoded. Its source file
    /// does not come back; until a file of the same bytes does, the sticker has none.
    ///
    /// - Throws: `StoreError`; nothing was changed.
    public func restore(_ sticker: StickerID) throws(StoreError) -> TrashOutcome {
        try write { try $0.restore(sticker) }
    }

    /// Removes a sticker that has no file.
    ///
    /// - Throws: `StoreError`; nothing was changed.
    public func putInTrash(_ sticker: StickerID) throws(StoreError) -> TrashOutcome {
        try write { try $0.putInTrash(sticker) }
    }
}

extension StoreTransaction {
    fileprivate func restore(_ sticker: StickerID) throws -> TrashOutcome {
        guard
            let row = try row(
                """
                SELECT sticker.entry IS NOT NULL, sticker.category, removal.name, removal.content,
                    output.id
                FROM sticker LEFT JOIN removal ON removal.sticker = sticker.id
                LEFT JOIN output ON output.id = removal.output AND output.is_lost = 0
                    AND output.content = coalesce(removal.drawing, removal.content)
                WHERE sticker.id = ?
                """, [sticker.rawValue])
        else { return .unknown }
        guard row[0] == false else { return .published }
        guard let name: Data = row[2], let content: String = row[3], let output: Int64 = row[4]
        else { return .cleared }
        let category = CategoryID(rawValue: row[1])
        try run("UPDATE source SET sticker = NULL WHERE sticker = ?", [sticker.rawValue])
        let source = try addSourceWithoutFile(
            of: sticker, category, name: [UInt8](name), ContentHash(rawValue: content), output)
        try run(
            """
            UPDATE output SET keep_until = NULL, released_from = NULL, is_trash = 0 WHERE id = ?
            """, [output])
        try writeEntry(of: source)
        try touch(category)
        return .done(category)
    }

    /// Records that a sticker has no file.
    func addSourceWithoutFile(
        of sticker: StickerID, _ category: CategoryID, name: [UInt8], _ content: ContentHash,
        _ output: Int64
    ) throws -> SourceRow {
        let drop = SourceRow.trashPrefix + sticker.rawValue
        try run("DELETE FROM source WHERE drop_path = ?", [drop])
        try run(
            """
            INSERT INTO source (drop_path, directory, name, kind, category, sticker, inode, size,
                mtime, ctime, present, applied, content, output)
            VALUES (?, x'', ?, 'picture', ?, ?, 0, 0, 0, 0, 0, 1, ?, ?)
            """,
            [
                drop, Data(name), category.rawValue, sticker.rawValue, content.rawValue, output,
            ])
        guard let source = try source(database.lastInsertedRowID) else {
            throw StoreError(.other, "the database returned no row")
        }
        return source
    }

    fileprivate func putInTrash(_ sticker: StickerID) throws -> TrashOutcome {
        guard
            let row = try row(
                "SELECT \(SourceRow.columns) FROM source WHERE sticker = ?", [sticker.rawValue])
        else { return .unknown }
        let source = try SourceRow(row)
        guard source.isWithoutFile else { return .hasFile }
        var expiry = Expiry()
        try expire(source, &expiry)
        try run("DELETE FROM source WHERE id = ?", [source.id])
        try touch(source.category)
        return .done(source.category)
    }
}
