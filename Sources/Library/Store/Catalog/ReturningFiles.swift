import FoundationEssentials
import GRDB
import StickerConfiguration
import StickerValues

// A file that comes back gets its sticker again, whatever its name and category: its bytes identify it.

/// The sticker that a file has before bytes of it are published.
struct OwnSticker {
    /// Whether it was never published.
    var isUnpublished: Bool
    /// Whether it was removed and the file has its name, but is another picture.
    var isOfOtherBytes: Bool
    /// Whether another sticker of these bytes was removed or has no file.
    var hasRival: Bool
    var concessions: Concessions

    /// Whether the file may still get another id.
    var isOpen: Bool { isUnpublished || isOfOtherBytes }
}

extension StoreTransaction {
    /// Recorded files with the bytes of a new one, those of the same name first; at most twenty.
    func twins(of key: SourceKey, _ content: ContentHash) throws -> [SourceKey] {
        func some(_ condition: String) -> String {
            """
            SELECT * FROM (SELECT drop_path, directory, name FROM source INDEXED BY source_present
                WHERE present = 1 AND output IS NOT NULL AND kind = 'picture' AND content = ?1
                    AND \(condition) LIMIT 20)
            """
        }
        return try rows(
            "\(some("name = ?2")) UNION ALL \(some("name <> ?2")) LIMIT 20",
            [content.rawValue, Data(key.name)]
        ).map { row in
            SourceKey(
                drop: row[0], directory: [UInt8](row[1] as Data), name: [UInt8](row[2] as Data))
        }
    }

    /// Gives a file that is published for the first time, or again after its sticker was removed, the id that belongs
    /// to its bytes: that of a sticker that was removed or whose file is missing, else its own.
    ///
    /// - Returns: categories that change because the sticker moves.
    func settleIdentity(
        of source: inout SourceRow, _ content: ContentHash
    ) throws -> Set<CategoryID> {
        guard let own = try ownSticker(of: source, content), own.isOpen, try !isShipped(source)
        else { return [] }
        if own.isOfOtherBytes { try giveNewID(to: &source) }
        guard own.hasRival, let fresh = source.sticker else { return [] }
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

    /// The sticker whose id a file of these bytes would get instead of its `own`: one that was removed or whose file is
    /// missing.
    func expectedSticker(
        of source: SourceRow, _ own: OwnSticker, _ content: ContentHash
    ) throws -> StickerID? {
        guard source.kind == .picture, !source.isLive, own.isOpen, own.hasRival,
            try !isShipped(source)
        else { return nil }
        return try removedSticker(of: content, like: source)
            ?? absentSource(of: content, like: source)?.sticker
    }

    /// The sticker of a file that has these bytes.
    func ownSticker(of source: SourceRow, _ content: ContentHash) throws -> OwnSticker? {
        guard let sticker = source.sticker else { return nil }
        // A template's sticker was withdrawn while its file stayed: it may have been written to since.
        return try row(
            """
            SELECT published_at IS NULL, EXISTS (SELECT 1 FROM removal
                    WHERE removal.sticker = sticker.id AND sticker.entry IS NULL
                        AND removal.content <> ?2 AND (removal.output IS NOT NULL OR NOT ?3)),
                EXISTS (SELECT 1 FROM removal INDEXED BY removal_content WHERE content = ?2)
                    OR EXISTS (SELECT 1 FROM source INDEXED BY source_absent
                        WHERE content = ?2 AND present = 0 AND output IS NOT NULL),
                concessions
            FROM sticker WHERE id = ?1
            """, [sticker.rawValue, content.rawValue, source.key.isTemplate]
        ).map { row in
            OwnSticker(
                isUnpublished: row[0], isOfOtherBytes: row[1], hasRival: row[2],
                concessions: try Self.concessions(row[3]))
        }
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
