import FoundationEssentials
import GRDB
import StickerModel

/// Ids are assigned once, in the transaction that first needs them.
extension StoreTransaction {
    /// Gives the file a sticker id, unique in the whole library and its entire past.
    func nameSticker(of source: inout SourceRow) throws {
        let name = StickerName(fileName: source.key.name)
        if isShipped(source), let id = Slug.make(from: name.title) {
            return try nameShipped(&source, id)
        }
        let id = try unusedID(from: name.title, bytes: source.key.name, kind: "sticker")
        try run(
            "INSERT INTO sticker (id, category, sort_key, created_at) VALUES (?, ?, ?, ?)",
            [
                id, source.category.rawValue, Data(SortKey.make(fileName: source.key.name)),
                now.wall,
            ])
        try run("UPDATE source SET sticker = ? WHERE id = ?", [id, source.id])
        source.sticker = StickerID(rawValue: id)
    }

    /// Whether the file came with stickerd.
    func isShipped(_ source: SourceRow) -> Bool { source.key.drop == policy.shippedDrop }

    /// Gives a file that came with stickerd its id, which nobody else can have: it begins with a reserved prefix.
    private func nameShipped(_ source: inout SourceRow, _ id: String) throws {
        try run(
            """
            INSERT INTO sticker (id, category, sort_key, created_at) VALUES (?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET category = excluded.category,
                sort_key = excluded.sort_key, deleted_at = NULL
            """,
            [
                id, source.category.rawValue, Data(SortKey.make(fileName: source.key.name)),
                now.wall,
            ])
        // Where the books had to be made anew, it may be known without its file.
        for other in try rows(
            "SELECT \(SourceRow.columns) FROM source WHERE sticker = ?", [id]
        ).map({ try SourceRow($0) }) {
            try run("UPDATE source SET sticker = NULL, output = NULL WHERE id = ?", [other.id])
            if let output = other.output { try release(output, of: other.category, as: .moment) }
            if other.isWithoutFile { try run("DELETE FROM source WHERE id = ?", [other.id]) }
        }
        try run("UPDATE source SET sticker = ? WHERE id = ?", [id, source.id])
        source.sticker = StickerID(rawValue: id)
    }

    /// Whether a sticker was once published and has been removed.
    func isTombstone(_ sticker: StickerID) throws -> Bool {
        try count(
            "SELECT count(*) FROM sticker WHERE id = ? AND deleted_at IS NOT NULL",
            [sticker.rawValue]) > 0
    }

    /// An unused id derived from `text`; the numbers for clashes only ever count up. A reserved word counts
    /// as taken.
    func unusedID(from text: String, bytes: [UInt8], kind: String) throws -> String {
        let slug =
            Slug.make(from: text) ?? "\(kind)_\(ContentHash(of: bytes).rawValue.prefix(8))"
        let base = Slug.unreserved(slug, kind: kind)
        while true {
            let number: Int? = try value(
                """
                INSERT INTO id_number VALUES (?, ?, 1)
                ON CONFLICT DO UPDATE SET number = number + 1 RETURNING number
                """, [kind, base])
            let id = Slug.numbered(base, number ?? 1)
            let isTaken = try count("SELECT count(*) FROM \(kind) WHERE id = ?", [id]) > 0
            if !isTaken, !Slug.isReserved(id) { return id }
        }
    }
}
