import FoundationEssentials
import GRDB
import StickerConfiguration
import StickerValues

/// Ids of stickers are assigned in the transaction that first needs them.
extension StoreTransaction {
    /// Gives the file a sticker id, unique in the whole library and its history.
    func nameSticker(of source: inout SourceRow, isNewcomer: Bool = false) throws {
        let name = StickerName(fileName: source.key.name)
        if try isShipped(source), let id = Slug.make(from: name.title),
            ShippedTemplates.identifiers.contains(id)
        {
            try nameShipped(&source, StickerID(rawValue: id))
            return try isNewcomer ? noteAppearance(of: &source) : ()
        }
        let id = try unusedID(from: name.title, bytes: source.key.name, kind: "sticker")
        try give(StickerID(rawValue: id), to: &source, isNewcomer: isNewcomer)
    }

    /// Gives a shipped file its fixed id. Only a picture of an earlier release may have that; any other holder got it
    /// when the database was rebuilt, and returns it.
    private func nameShipped(_ source: inout SourceRow, _ id: StickerID) throws {
        let holders = try sources(
            "SELECT \(SourceRow.columns) FROM source WHERE sticker = ? AND id <> ?",
            [id.rawValue, source.id])
        let removed: Data? = try value(
            "SELECT name FROM removal WHERE sticker = ?", [id.rawValue])
        let names = holders.map(\.key.name) + (removed.map { [[UInt8]($0)] } ?? [])
        guard names.allSatisfy({ ShippedTemplates.include(id, madeFrom: $0) }) else {
            let id = try unusedID(from: id.rawValue, bytes: source.key.name, kind: "sticker")
            return try give(StickerID(rawValue: id), to: &source)
        }
        for var holder in holders { try takeID(from: &holder) }
        // Its row exists if it was ever given.
        let isKnown =
            try run(
                "UPDATE sticker SET category = ?, sort_key = ?, deleted_at = NULL WHERE id = ?",
                [
                    source.category.rawValue, Data(SortKey.make(fileName: source.key.name)),
                    id.rawValue,
                ]) == 1
        try give(id, to: &source, isKnown: isKnown)
    }

    /// Takes the id of a file, and gives the file another one if it exists.
    private func takeID(from holder: inout SourceRow) throws {
        holder.sticker = nil
        try run("UPDATE source SET sticker = NULL WHERE id = ?", [holder.id])
        try touch(holder.category)
        if holder.isPresent {
            try nameSticker(of: &holder)
            try writeEntry(of: holder)
            return
        }
        try run("UPDATE source SET output = NULL, applied = 0 WHERE id = ?", [holder.id])
        if let output = holder.output { try release(output, of: holder.category, as: .moment) }
        if holder.isWithoutFile { try run("DELETE FROM source WHERE id = ?", [holder.id]) }
    }

    /// Gives a file its id; unless it `isKnown`, one that was never given before.
    private func give(
        _ id: StickerID, to source: inout SourceRow, isKnown: Bool = false,
        isNewcomer: Bool = false
    ) throws {
        if !isKnown {
            try run(
                "INSERT INTO sticker (id, category, sort_key, created_at) VALUES (?, ?, ?, ?)",
                [
                    id.rawValue, source.category.rawValue,
                    Data(SortKey.make(fileName: source.key.name)), now.wall,
                ])
        }
        source.sticker = id
        guard isNewcomer else {
            try run("UPDATE source SET sticker = ? WHERE id = ?", [id.rawValue, source.id])
            return
        }
        try run(
            "UPDATE source SET sticker = ?, appeared_at = ?, former_names = NULL WHERE id = ?",
            [id.rawValue, now.wall, source.id])
        source.formerNames = []
    }
}
