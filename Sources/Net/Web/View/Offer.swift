import StickerModel

/// Which category shows each sticker, and where in the order of the library.
///
/// While a sticker moves, two categories list it for a moment: where it went is shown before where it was is changed. Then
/// the category counts in which it changed last.
struct Offer {
    /// What a category says of one of its stickers.
    struct Claim: Sendable {
        var row: SearchIndex.Row
        /// Tells it from what any other state of the sticker would give.
        var state: Int
        /// When the sticker changed there; empty if the manifest does not say.
        var changedAt: String
    }

    /// What the index is told.
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

    /// The state in which a sticker is shown; `nil` if it is not.
    func state(of id: StickerID) -> Int? { entries[id]?.state }

    /// Takes over what categories list, and what they list no more.
    ///
    /// - Parameters:
    ///   - left: stickers that left a category.
    ///   - claims: what is new or said otherwise. Each names an unused place or one of a sticker of its category; where
    ///     two want the same place, one comes behind the other.
    /// - Returns: what changes.
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
        // All places are free before the first is given: stickers change theirs among themselves.
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
