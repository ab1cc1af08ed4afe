import StickerValues

/// Which category shows each sticker, and where in the order of the library.
///
/// While a sticker moves, two categories list it for a moment, as the new one is published before the old one is
/// changed. Then the category with its latest change counts.
struct Offer {
    /// An entry of a sticker in a category.
    struct Claim: Sendable {
        var row: SearchIndex.Row
        /// Identifies the state of the sticker.
        var state: Int
        /// When the sticker changed there; empty if the manifest does not say.
        var changedAt: String
    }

    /// The changes for the index.
    struct Change {
        var gone: [StickerID] = []
        var rows: [SearchIndex.Row] = []
    }

    private struct Entry: Sendable {
        var category: CategoryID
        var state: Int
        var changedAt: String
        var place: Int64

        init(_ claim: Claim) {
            (category, place) = (claim.row.category, claim.row.place)
            (state, changedAt) = (claim.state, claim.changedAt)
        }

        func comes(before claim: Claim) -> Bool {
            category != claim.row.category
                && (changedAt, category.rawValue) > (claim.changedAt, claim.row.category.rawValue)
        }
    }

    private var entries: [StickerID: Entry] = [:]
    private var places: [Int64: StickerID] = [:]

    /// The shown state of a sticker; `nil` if it is not shown.
    func state(of id: StickerID) -> Int? { entries[id]?.state }

    /// Applies the entries that categories gained and lost.
    ///
    /// - Parameters:
    ///   - left: stickers that left a category.
    ///   - claims: new and changed entries. Each names a free place or one of a sticker of its category; if two want
    ///     the same place, one comes after the other.
    /// - Returns: the changes.
    mutating func take(left: [(StickerID, CategoryID)], claims: [Claim]) -> Change {
        var change = Change()
        for (id, category) in left where entries[id]?.category == category {
            remove(id, &change)
        }
        var taken: [StickerID: Claim] = [:]
        for claim in claims {
            let id = claim.row.identifier
            let present = taken[id].map(Entry.init) ?? entries[id]
            if present?.comes(before: claim) != true { taken[id] = claim }
        }
        // All places are freed before the first is given: stickers may exchange theirs.
        for id in taken.keys where entries[id] != nil { remove(id, &change) }
        for claim in taken.values.sorted(by: Self.isOrdered) { place(claim, &change) }
        return change
    }

    private static func isOrdered(_ one: Claim, _ other: Claim) -> Bool {
        (one.row.place, one.row.category.rawValue) < (other.row.place, other.row.category.rawValue)
    }

    private mutating func remove(_ id: StickerID, _ change: inout Change) {
        guard let entry = entries.removeValue(forKey: id) else { return }
        places[entry.place] = nil
        change.gone.append(id)
    }

    private mutating func place(_ claim: Claim, _ change: inout Change) {
        var row = claim.row
        while places[row.place] != nil { row.place += 1 }
        var entry = Entry(claim)
        entry.place = row.place
        entries[row.identifier] = entry
        places[row.place] = row.identifier
        change.rows.append(row)
    }
}
