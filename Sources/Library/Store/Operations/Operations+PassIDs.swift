import FoundationEssentials
import GRDB
import StickerConfiguration
public import StickerValues

/// The result of giving a sticker another id.
public enum PassedID: Hashable, Sendable {
    /// It has this id now; the category changed.
    case passed(StickerID, CategoryID)
    /// No published sticker has a file of that name.
    case unknown
    /// The requested id was never given, or another sticker has it.
    case taken
    /// It is the id of a sticker that comes with stickerd, which cannot change.
    case shipped
}

// An id changes in only these two ways. An operator asks for both, and the old id becomes a tombstone.

extension Operations {
    /// Gives a sticker a new id from its file's name. The old one is listed as removed, and no file brings it back by
    /// itself.
    ///
    /// - Parameter name: the sticker, by id or by its file.
    /// - Returns: its new id, or why it has none.
    /// - Throws: `StoreError`; nothing was changed.
    public func giveNewID(to name: String) throws(StoreError) -> PassedID {
        try write { try $0.passID(nil, to: name) }
    }

    /// Gives the id of a removed sticker to another one, whose own id is listed as removed.
    ///
    /// - Parameters:
    ///   - removed: the id of a removed sticker.
    ///   - name: the sticker that gets it, by id or by its file.
    /// - Returns: its present id, or why it kept its own.
    /// - Throws: `StoreError`; nothing was changed.
    public func pass(_ removed: StickerID, to name: String) throws(StoreError) -> PassedID {
        try write { try $0.passID(removed, to: name) }
    }
}

extension StoreTransaction {
    fileprivate func passID(_ removed: StickerID?, to name: String) throws -> PassedID {
        guard var source = try storied(name), source.isLive, source.isPresent,
            let old = source.sticker
        else { return .unknown }
        if try isShipped(source) { return .shipped }
        if let removed {
            if try isOfShipped(removed) { return .shipped }
            if try !isFree(removed) { return .taken }
        }
        try remove(old, of: source)
        // Its picture still exists, so bytes must not identify the owner of the id.
        try run(
            "UPDATE removal SET content = NULL, output = NULL WHERE sticker = ?", [old.rawValue])
        if let removed {
            try run("UPDATE source SET sticker = NULL WHERE sticker = ?", [removed.rawValue])
            try run("UPDATE source SET sticker = ? WHERE id = ?", [removed.rawValue, source.id])
            try run(
                "UPDATE sticker SET category = ? WHERE id = ?",
                [source.category.rawValue, removed.rawValue])
            source.sticker = removed
        } else {
            source.sticker = nil
            try nameSticker(of: &source)
        }
        guard let new = source.sticker else { return .unknown }
        try run(
            """
            UPDATE sticker SET (kept_words, concessions) =
                (SELECT kept_words, concessions FROM sticker WHERE id = ?)
            WHERE id = ?
            """, [old.rawValue, new.rawValue])
        try writeEntry(of: source)
        try touch(source.category)
        return .passed(new, source.category)
    }

    private func isOfShipped(_ removed: StickerID) throws -> Bool {
        let name: Data? = try value(
            "SELECT name FROM removal WHERE sticker = ?", [removed.rawValue])
        return ShippedTemplates.include(removed, madeFrom: [UInt8](name ?? Data()))
    }

    /// Whether a sticker was removed, with nothing in its place.
    private func isFree(_ sticker: StickerID) throws -> Bool {
        try isTombstone(sticker)
            && count(
                "SELECT count(*) FROM source WHERE sticker = ? AND (present = 1 OR output IS NOT NULL)",
                [sticker.rawValue]) == 0
    }
}
