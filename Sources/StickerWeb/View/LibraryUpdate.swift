import Dispatch
import StickerModel
import StickerSystem
import Synchronization

/// What was read of the tree, and how the index follows when that changes: what is the same stays untouched.
struct LibraryUpdate {
    private let reader: TreeReader
    private let words: StickerWording
    private let index: SearchIndex

    /// The index file as it was read.
    private var listed: Seen<[CategoryID]>?
    private var known: [CategoryID: Seen<Category>] = [:]
    private var tombstones: Seen<[StickerID: RemovedSticker]>?
    private var faults: [CategoryID: Fault] = [:]
    private var entries: [StickerID: Entry] = [:]
    private var places: [Int64: StickerID] = [:]

    /// What the index has of a sticker.
    private struct Entry: Sendable {
        var category: CategoryID
        /// Tells it from what any other state of the sticker would give.
        var state: Int
        var place: Int64
    }

    /// Something read, and the state in which its file was before.
    private struct Seen<Value: Sendable>: Sendable {
        var mark: FileStatus?
        var value: Value
    }

    /// A manifest that could not be read. Another state of it is read at once, the same one now and then.
    private struct Fault: Sendable {
        static let pause = Duration.seconds(2)

        let mark: FileStatus?
        let trouble: String
        let at = ContinuousClock.now
    }

    private struct Category: Sendable {
        var facts: CategoryFacts
        var stickers: Set<StickerID>
    }

    init(_ reader: TreeReader, _ words: StickerWording, _ index: SearchIndex) {
        (self.reader, self.words, self.index) = (reader, words, index)
    }

    /// The categories, ordered by id.
    var categories: [CategoryFacts] {
        known.values.map(\.value.facts)
            .sorted { $0.identifier.rawValue < $1.identifier.rawValue }
    }

    /// Stickers that were removed.
    var removed: [StickerID: RemovedSticker] { tombstones?.value ?? [:] }

    /// When the newest file that was read was written, in nanoseconds since 1970; 0 if there is none.
    var publishedAt: Int64 {
        let marks = [listed?.mark, tombstones?.mark] + known.values.map(\.mark)
        return marks.compactMap { $0?.mtime }.max() ?? 0
    }

    /// Takes over what has changed.
    ///
    /// - Returns: whether anything has, and what cannot be read.
    mutating func take() -> (isChanged: Bool, troubles: [String]) {
        var (isChanged, troubles) = (false, [String]())
        func attempt(_ work: () throws -> Bool) {
            do {
                if try work() { isChanged = true }
            } catch {
                troubles.append("\(error)")
            }
        }
        attempt { try takeRemoved() }
        attempt { try takeList() }
        attempt { try takeCategories(&troubles) }
        return (isChanged, troubles)
    }

    private mutating func takeRemoved() throws -> Bool {
        let mark = reader.mark(of: RemovedStickers.fileName)
        guard tombstones == nil || tombstones?.mark != mark else { return false }
        let removed = mark == nil ? [] : try reader.removed()
        tombstones = Seen(
            mark: mark,
            value: Dictionary(removed.map { ($0.identifier, $0) }) { first, _ in first })
        return true
    }

    private mutating func takeList() throws -> Bool {
        let mark = reader.mark(of: "index.json")
        guard listed == nil || listed?.mark != mark else { return false }
        listed = Seen(mark: mark, value: mark == nil ? [] : try reader.categories())
        return true
    }

    /// Reads the categories whose manifests have changed, several at once, and tells the index in one step.
    private mutating func takeCategories(_ troubles: inout [String]) throws -> Bool {
        let ids = listed?.value ?? []
        let changed = ids.compactMap { id in
            let mark = reader.mark(of: "\(id)/manifest.json")
            return mark != nil && mark != known[id]?.mark && !isFaulty(id, mark) ? (id, mark) : nil
        }
        let gone = Set(known.keys).subtracting(ids)
        faults = faults.filter { ids.contains($0.key) }
        defer { troubles += faults.values.map(\.trouble).sorted() }
        guard !changed.isEmpty || !gone.isEmpty else { return false }
        let drafts = Mutex<[Int: Result<Draft, any Error>]>([:])
        DispatchQueue.concurrentPerform(
            iterations: changed.count
        ) { [reader, words, entries] number in
            let (id, mark) = changed[number]
            let result = Result {
                Draft(try reader.category(id), mark, words) { entries[$0]?.state }
            }
            drafts.withLock { $0[number] = result }
        }
        var after = self
        var change = Change()
        for id in gone { after.forget(id, &change) }
        var isChanged = !gone.isEmpty
        for (number, result) in drafts.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
            let (id, mark) = changed[number]
            switch result {
            case .success(let draft):
                after.take(draft, &change)
                after.faults[id] = nil
                isChanged = true
            case .failure(let error):
                after.faults[id] = Fault(
                    mark: mark, trouble: "\(id)/manifest.json: \(FileTrouble(error))")
            }
        }
        try index.change(removing: change.gone, adding: change.rows)
        self = after
        return isChanged
    }

    private func isFaulty(_ id: CategoryID, _ mark: FileStatus?) -> Bool {
        faults[id].map { $0.mark == mark && $0.at + Fault.pause > .now } ?? false
    }

    /// A category as it was read, with what the index does not know of it yet.
    private struct Draft: Sendable {
        let category: CategoryID
        let seen: Seen<Category>
        private(set) var rows: [(row: SearchIndex.Row, state: Int)] = []

        init(
            _ category: PublishedCategory, _ mark: FileStatus?, _ words: StickerWording,
            known: (StickerID) -> Int?
        ) {
            self.category = category.identifier
            let facts = CategoryFacts(category)
            seen = Seen(
                mark: mark, value: Category(facts: facts, stickers: Set(facts.stickers)))
            var order = OfferOrder(category.identifier)
            for sticker in category.stickers {
                let place = order.place(of: sticker)
                var hasher = Hasher()
                hasher.combine(sticker)
                hasher.combine(category.identifier)
                hasher.combine(category.title)
                hasher.combine(place)
                let state = hasher.finalize()
                guard known(sticker.identifier) != state else { continue }
                rows.append((words.row(of: sticker, in: category, at: place), state))
            }
        }
    }

    /// What the index is told.
    private struct Change {
        var gone: [StickerID] = []
        var rows: [SearchIndex.Row] = []
    }

    private mutating func forget(_ id: CategoryID, _ change: inout Change) {
        for sticker in known.removeValue(forKey: id)?.value.stickers ?? [] {
            remove(sticker, of: id, &change)
        }
    }

    /// A sticker that moved to another category is that category's.
    private mutating func remove(
        _ sticker: StickerID, of category: CategoryID, _ change: inout Change
    ) {
        guard let entry = entries[sticker], entry.category == category else { return }
        entries[sticker] = nil
        places[entry.place] = nil
        change.gone.append(sticker)
    }

    private mutating func take(_ draft: Draft, _ change: inout Change) {
        for sticker in known[draft.category]?.value.stickers ?? []
        where !draft.seen.value.stickers.contains(sticker) {
            remove(sticker, of: draft.category, &change)
        }
        for (row, state) in draft.rows {
            let id = row.identifier
            if let entry = entries[id] {
                places[entry.place] = nil
                change.gone.append(id)
            }
            var row = row
            row.place = firstFree(from: row.place)
            places[row.place] = id
            entries[id] = Entry(category: draft.category, state: state, place: row.place)
            change.rows.append(row)
        }
        known[draft.category] = draft.seen
    }

    private func firstFree(from place: Int64) -> Int64 {
        var place = place
        while places[place] != nil { place += 1 }
        return place
    }
}
