import GRDB
import StickerValues

extension StoreTransaction {
    /// The concessions about this content of the sticker that a file of these bytes has, or will have once published.
    func concessions(of source: SourceRow, _ content: ContentHash) throws -> Concessions {
        guard let own = try ownSticker(of: source, content) else { return Concessions() }
        let concessions = own.concessions.about(content)
        guard concessions.isEmpty, let other = try expectedSticker(of: source, own, content)
        else { return concessions }
        return try self.concessions(of: other).about(content)
    }

    /// The concessions of a file's sticker; a cover has none.
    func concessions(of source: SourceRow) throws -> Concessions {
        try source.sticker.map(concessions) ?? Concessions()
    }

    fileprivate func concessions(of sticker: StickerID) throws -> Concessions {
        try Self.concessions(
            value("SELECT concessions FROM sticker WHERE id = ?", [sticker.rawValue]))
    }

    /// The concessions in a column; `NULL` for none.
    static func concessions(_ text: String?) throws -> Concessions {
        try text.map { try StoredJSON.decode(Concessions.self, from: $0) } ?? Concessions()
    }

    /// Sets the concessions of a file's sticker.
    func grant(_ concessions: Concessions, to source: SourceRow) throws {
        guard let sticker = source.sticker else { return }
        try run(
            "UPDATE sticker SET concessions = ? WHERE id = ?",
            [concessions.isEmpty ? nil : try StoredJSON.text(concessions), sticker.rawValue])
        // The manifest preserves them for a rebuild.
        if source.isLive, try writeEntry(of: source) { try touch(source.category) }
    }

    /// The files whose stickers have concessions.
    func concededSources() throws -> [(source: SourceRow, concessions: Concessions)] {
        try rows(
            """
            SELECT \(SourceRow.columns), sticker.concessions
            FROM sticker INDEXED BY sticker_conceded JOIN source ON source.sticker = sticker.id
            WHERE sticker.concessions IS NOT NULL
            """
        ).map { row in
            (
                try SourceRow(row),
                try StoredJSON.decode(Concessions.self, from: row["concessions"])
            )
        }
    }
}
