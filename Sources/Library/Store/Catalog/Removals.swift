import FoundationEssentials
import GRDB
import StickerValues

// The list of removed stickers, `out/_removed.json`. It names a sticker before its manifest stops doing so, and until a
// manifest names it again: a rebuild from the published files finds every id.

extension StoreTransaction {
    private static let generation = "removed.generation"
    private static let published = "removed.published"
    private static let pages = "removed.pages"

    /// Makes a sticker a tombstone, which keeps its id.
    func remove(_ sticker: StickerID, of source: SourceRow) throws {
        try bury(sticker, of: source)
        try keepWords(about: source)
    }

    private func bury(_ sticker: StickerID, of source: SourceRow) throws {
        try run(
            """
            INSERT OR REPLACE INTO removal
                (sticker, category, title, content, output, file, name, removed_at, drawing)
            SELECT id, ?, coalesce(json_extract(entry, '$.title'), id), ?, ?, ?, ?, ?,
                (SELECT content FROM output WHERE output.id = ?)
            FROM sticker WHERE id = ?
            """,
            [
                source.category.rawValue, source.content?.rawValue, source.output,
                source.isWithoutFile ? nil : source.key.display, Data(source.key.name), now.wall,
                source.output, sticker.rawValue,
            ])
        try run(
            "UPDATE sticker SET entry = NULL, deleted_at = ? WHERE id = ?",
            [now.wall, sticker.rawValue])
        try touchRemovals()
    }

    /// Withdraws a published sticker although its file exists, because its data is unknown. The id stays that of the
    /// file, whatever is written to it.
    func withdraw(_ source: SourceRow) throws {
        try run("UPDATE source SET output = NULL, applied = 1 WHERE id = ?", [source.id])
        guard let sticker = source.sticker, let output = source.output else { return }
        try release(output, of: source.category, as: .moment)
        var without = source
        without.output = nil  // the file is there, so nothing is to be restored
        try bury(sticker, of: without)
        try touch(source.category)
    }

    /// Notes that a removed sticker came back.
    func noteReturn(of sticker: StickerID) throws {
        try run("UPDATE removal SET is_back = 1 WHERE sticker = ?", [sticker.rawValue])
    }

    /// Takes over a tombstone from an earlier database, unless the sticker exists.
    ///
    /// - Returns: whether it was taken over.
    func takeOver(_ removed: RemovedSticker) throws -> Bool {
        let removedAt = Int64(date: removed.removedAt) ?? now.wall
        let isNew =
            try run(
                """
                INSERT OR IGNORE INTO sticker (id, category, sort_key, created_at, deleted_at)
                VALUES (?, ?, x'', ?, ?)
                """,
                [removed.identifier.rawValue, removed.category.rawValue, removedAt, removedAt]) == 1
        guard isNew else { return false }
        try run(
            """
            INSERT INTO removal (sticker, category, title, content, removed_at, successor)
            VALUES (?, ?, ?, ?, ?, ?)
            """,
            [
                removed.identifier.rawValue, removed.category.rawValue, removed.title,
                removed.sha256?.rawValue, removedAt, removed.successor?.rawValue,
            ])
        return true
    }

    /// Continues the generation of a list from an earlier database; it is written again.
    func continueRemovals(after generation: Int) throws {
        try setNote(Self.generation, "\(generation + 1)")
    }

    func touchRemovals() throws { try raiseRemovals(by: 1) }

    /// Raises the generation of the list, which is written again.
    func raiseRemovals(by rise: Int) throws {
        try setNote(Self.generation, "\(removalGeneration() + rise)")
    }

    /// Takes stickers off the list that came back and are in this manifest.
    func settleRemovals(shownBy manifest: PublishedManifest) throws {
        let settled = try rows(
            """
            SELECT removal.sticker FROM removal INDEXED BY removal_back
            CROSS JOIN sticker ON sticker.id = removal.sticker
            JOIN category ON category.id = sticker.category
            WHERE removal.is_back = 1 AND sticker.category = ? AND category.generation = ?
            """, [manifest.category.rawValue, manifest.generation])
        for row in settled {
            try run("DELETE FROM removal WHERE sticker = ?", [row[0] as String])
        }
        if !settled.isEmpty { try touchRemovals() }
    }

    fileprivate func removalGeneration() throws -> Int {
        try note(Self.generation).flatMap { Int($0) } ?? 0
    }

    fileprivate func areRemovalsPublished() throws -> Bool {
        try note(Self.published) == "\(removalGeneration())"
    }

    fileprivate func markPublished(_ list: RemovedPages.Published) throws {
        try setNote(Self.published, "\(list.generation)")
        try setNote(Self.pages, StoredJSON.text(list.furtherPages))
    }

    fileprivate func publishedRemovalPages() throws -> [String] {
        try note(Self.pages).map { try StoredJSON.decode([String].self, from: $0) } ?? []
    }
}

/// The pages of the list, oldest removals first: they are cut so that all but the first stay unchanged when stickers
/// are added.
struct RemovedPages {
    /// A list that was put in place.
    struct Published {
        var generation: Int
        /// The files of its further pages.
        var furtherPages: [String]
    }

    let transaction: StoreTransaction

    /// Builds every page. `write` puts a page in its place and returns its name; the first page comes last.
    func build(_ write: (_ page: [UInt8], _ isFirst: Bool) throws -> String) throws -> Published {
        let size = transaction.policy.pageEntriesMax
        var left = try transaction.count("SELECT count(*) FROM removal")
        var published = Published(
            generation: try transaction.removalGeneration(), furtherPages: [])
        let cursor = try Row.fetchCursor(
            transaction.database,
            sql: """
                SELECT sticker, title, category, content, removed_at, successor FROM removal
                INDEXED BY removal_order ORDER BY removed_at, sticker
                """)
        repeat {
            var lines: [Data] = []
            while lines.count < min(size, left), let row = try cursor.next() {
                lines.append(try StoredJSON.encode(RemovedSticker(row)))
            }
            left -= lines.count
            let page = try page(lines.reversed(), published, isFirst: left == 0)
            let name = try write(page, left == 0)
            if left > 0 { published.furtherPages.append(name) }
        } while left > 0
        return published
    }

    private func page(_ lines: [Data], _ published: Published, isFirst: Bool) throws -> [UInt8] {
        let base = transaction.policy.publicBaseURL
        let frame = RemovedStickers(
            generation: isFirst ? published.generation : nil, removed: [],
            nextURL: published.furtherPages.last.map { base + $0 })
        return try StoredJSON.page(frame, listing: lines, as: "removed")
    }
}

extension RemovedSticker {
    fileprivate init(_ row: Row) {
        self.init(
            identifier: StickerID(rawValue: row[0]), title: row[1],
            category: CategoryID(rawValue: row[2]),
            sha256: (row[3] as String?).map(ContentHash.init),
            removedAt: (row[4] as Int64).asDate,
            successor: (row[5] as String?).map(StickerID.init))
    }
}

extension Catalog {
    /// Lets `write` put the list of removed stickers in place, unless it is already published.
    ///
    /// - Returns: the files of pages that it no longer names.
    func publishRemovals(
        isThere: Bool, _ write: (RemovedPages) throws -> RemovedPages.Published
    ) throws -> Set<String> {
        let published = try read { transaction -> RemovedPages.Published? in
            if isThere, try transaction.areRemovalsPublished() { return nil }
            return try write(RemovedPages(transaction: transaction))
        }
        guard let published else { return [] }
        return try self.write { transaction in
            let before = Set(try transaction.publishedRemovalPages())
            try transaction.markPublished(published)
            return before.subtracting(published.furtherPages)
        }
    }

    /// The files of the further pages of the list of removed stickers.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    func publishedRemovalPages() throws(StoreError) -> Set<String> {
        try read { Set(try $0.publishedRemovalPages()) }
    }
}
