import FoundationEssentials
import GRDB
import StickerConfiguration
import StickerValues

// A file that comes back gets its sticker again, whatever its name and category: its bytes identify it.

extension StoreTransaction {
    /// Recorded files with the bytes of a new one, those of the same name first; at most twenty.
    func twins(of key: SourceKey, _ content: ContentHash) throws -> [SourceKey] {
        try rows(
            """
            SELECT \(SourceRow.columns) FROM source INDEXED BY source_present
            WHERE present = 1 AND output IS NOT NULL AND kind = 'picture' AND content = ?
            ORDER BY name = ? DESC, id LIMIT 20
            """, [content.rawValue, Data(key.name)]
        ).map { try SourceRow($0).key }
    }

    /// Gives a file that is published for the first time, or again after its sticker was removed, the id that belongs
    /// to its bytes: that of a sticker that was removed or whose file is missing, else its own.
    ///
    /// - Returns: categories that change because the sticker moves.
    func settleIdentity(
        of source: inout SourceRow, _ content: ContentHash
    ) throws -> Set<CategoryID> {
        guard source.sticker != nil, try !isShipped(source) else { return [] }
        if try isOfOtherBytes(source, content) { try giveNewID(to: &source) }
        guard let fresh = source.sticker, try isUnpublished(fresh) else { return [] }
        if let removed = try removedSticker(of: content, like: source) {
            try run("UPDATE source SET sticker = NULL WHERE sticker = ?", [removed.rawValue])
            try take(removed, instead: fresh, &source)
            return []
        }
        guard let other = try absentSource(of: content, like: source), let id = other.sticker
        else { return [] }
        try noteMove(of: other, to: source.category)
        try keepWords(about: other, isOrderKept: other.category == source.category)
        try run(
            """
            UPDATE source SET sticker = NULL, output = NULL, content = NULL, applied = 0,
                missing_since = NULL, held = NULL
            WHERE id = ?
            """, [other.id])
        try noteHeir(besides: other.key)
        try take(id, instead: fresh, &source)
        try other.output.map { try release($0, of: other.category, as: .oldRevision) }
        guard other.category != source.category else { return [] }
        try noteChange(of: id)
        return [other.category, source.category]
    }

    /// The sticker whose id a file of these bytes would get: one that was removed or whose file is missing, else its
    /// own.
    func expectedSticker(of source: SourceRow, _ content: ContentHash) throws -> StickerID? {
        guard source.kind == .picture, !source.isLive, let own = source.sticker,
            try !isShipped(source), try isOfOtherBytes(source, content) || isUnpublished(own)
        else { return source.sticker }
        return try removedSticker(of: content, like: source)
            ?? absentSource(of: content, like: source)?.sticker ?? own
    }

    /// Whether the file was matched to a removed sticker by its name, and is another picture.
    private func isOfOtherBytes(_ source: SourceRow, _ content: ContentHash) throws -> Bool {
        // A template's sticker was withdrawn while its file stayed: it may have been written to since.
        try count(
            """
            SELECT count(*) FROM removal JOIN sticker ON sticker.id = removal.sticker
            WHERE removal.sticker = ? AND sticker.entry IS NULL AND removal.content <> ?
                AND (removal.output IS NOT NULL OR NOT ?)
            """, [source.sticker?.rawValue, content.rawValue, source.key.isTemplate]) > 0
    }

    private func giveNewID(to source: inout SourceRow) throws {
        try run(
            """
            UPDATE sticker SET deleted_at = (
                SELECT removed_at FROM removal WHERE removal.sticker = sticker.id)
            WHERE id = ?
            """, [source.sticker?.rawValue])
        try nameSticker(of: &source)
    }

    private func isUnpublished(_ sticker: StickerID) throws -> Bool {
        try count(
            "SELECT count(*) FROM sticker WHERE id = ? AND published_at IS NULL",
            [sticker.rawValue]) > 0
    }

    /// The removed sticker of these bytes: of several, the one of this name, then of this category, then the last one.
    private func removedSticker(of content: ContentHash, like source: SourceRow) throws
        -> StickerID?
    {
        let removed = try rows(
            """
            SELECT removal.sticker, removal.name FROM removal INDEXED BY removal_content
            JOIN sticker ON sticker.id = removal.sticker
            WHERE removal.content = ? AND sticker.entry IS NULL AND NOT EXISTS (
                SELECT 1 FROM source WHERE source.sticker = removal.sticker AND present = 1)
            ORDER BY removal.name IS ? DESC, removal.category = ? DESC, removal.removed_at DESC
            LIMIT 10
            """, [content.rawValue, Data(source.key.name), source.category.rawValue])
        return removed.lazy.map { (StickerID(rawValue: $0[0]), ($0[1] as Data?) ?? Data()) }
            .first { !ShippedTemplates.include($0, madeFrom: [UInt8]($1)) }?.0
    }

    /// A sticker of these bytes without a file: it is missing, or the sticker came from the trash.
    private func absentSource(of content: ContentHash, like source: SourceRow) throws -> SourceRow?
    {
        try sources(
            """
            SELECT \(SourceRow.columns) FROM source INDEXED BY source_absent
            WHERE content = ? AND present = 0 AND output IS NOT NULL AND kind = 'picture'
            ORDER BY name = ? DESC, category = ? DESC, id LIMIT 10
            """, [content.rawValue, Data(source.key.name), source.category.rawValue]
        ).first { other in
            other.sticker.map { !ShippedTemplates.include($0, madeFrom: other.key.name) } ?? true
        }
    }

    /// Gives a file the id of a sticker without a file; its own unpublished id is forgotten.
    private func take(
        _ sticker: StickerID, instead fresh: StickerID, _ source: inout SourceRow
    ) throws {
        try run(
            "UPDATE source SET sticker = ?, appeared_at = NULL WHERE id = ?",
            [sticker.rawValue, source.id])
        // The refused file was granted concessions under the id that it loses.
        try run(
            """
            UPDATE sticker SET concessions = coalesce(
                (SELECT concessions FROM sticker WHERE id = ?), concessions)
            WHERE id = ?
            """, [fresh.rawValue, sticker.rawValue])
        try run("DELETE FROM sticker WHERE id = ?", [fresh.rawValue])
        try run(
            "UPDATE sticker SET category = ?, sort_key = ? WHERE id = ?",
            [
                source.category.rawValue, Data(SortKey.make(fileName: source.key.name)),
                sticker.rawValue,
            ])
        source.sticker = sticker
    }
}
