import FoundationEssentials
import GRDB
import StickerSystem
import StickerValues

/// Ids are assigned once, in the transaction that first needs them.
extension StoreTransaction {
    /// Whether the file came with stickerd, as far as the daemon knows.
    func isShipped(_ source: SourceRow) throws -> Bool {
        try source.key.isTemplate && source.key.drop == shippedDrop()
    }

    /// Whether a sticker was published and removed.
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
            let counted = try row(
                """
                INSERT INTO id_number VALUES (?1, ?2, 1)
                ON CONFLICT DO UPDATE SET number = number + 1
                RETURNING number, EXISTS (SELECT 1 FROM \(kind) WHERE id = ?2)
                """, [kind, base])
            let id = Slug.numbered(base, counted?[0] ?? 1)
            let isBaseTaken: Bool = counted?[1] ?? false
            let isTaken =
                id == base
                ? isBaseTaken : try count("SELECT count(*) FROM \(kind) WHERE id = ?", [id]) > 0
            if !isTaken, !Slug.isReserved(id) { return id }
        }
    }
}
