import Dispatch
import StickerSystem
import StickerValues
import Synchronization

/// The tree as it was read; updates the index when the tree changes, leaving the same stickers untouched.
struct LibraryUpdate {
    private let reader: TreeReader
    private let words: StickerWording
    private let index: SearchIndex
    /// How long an unreadable file is not retried while it is unchanged.
    private let pause: Duration

    /// The index file as it was read.
    private var listed: Seen<[CategoryID]>?
    private var known: [CategoryID: Seen<Category>] = [:]
    private var tombstones: Seen<[StickerID: RemovedSticker]>?
    private var faults: [CategoryID: Fault] = [:]
    private var offer = Offer()
    /// Why the index could not be updated.
    private var refused: Refused?

    private struct Refused: Sendable {
        let trouble: String
        let at = ContinuousClock.now
    }

    /// A value, the state of its file before reading, and the fingerprint of its bytes.
    private struct Seen<Value: Sendable>: Sendable {
        var mark: FileStatus?
        var print = Fingerprint()
        var value: Value
    }

    /// A manifest that could not be read.
    private struct Fault: Sendable {
        let mark: FileStatus?
        let trouble: String
        /// How often reading this state of it was attempted.
        var tries = 1
        let at = ContinuousClock.now
    }

    private struct Category: Sendable {
        var facts: CategoryFacts
        var stickers: Set<StickerID>
    }

    init(
        _ reader: TreeReader, _ words: StickerWording, _ index: SearchIndex,
        pause: Duration = .seconds(2)
    ) {
        (self.reader, self.words, self.index, self.pause) = (reader, words, index, pause)
    }

    /// The categories, ordered by id.
    var categories: [CategoryFacts] {
        known.values.map(\.value.facts)
            .sorted { $0.identifier.rawValue < $1.identifier.rawValue }
    }

    var removed: [StickerID: RemovedSticker] { tombstones?.value ?? [:] }

    /// The modification time of the newest file read, in nanoseconds since 1970; 0 if there is none.
    var publishedAt: Int64 {
        let marks = [listed?.mark, tombstones?.mark] + known.values.map(\.mark)
        return marks.compactMap { $0?.mtime }.max() ?? 0
    }

    /// Whether it waits for the first publication.
    var isWaiting: Bool { listed == nil && reader.isEmpty }

    /// Whether everything has been read, or retried, as the daemon may just have been replacing it.
    var isComplete: Bool {
        listed != nil && refused == nil && faults.values.allSatisfy { $0.tries > 1 }
    }

    /// The fingerprint of everything read; the same for every server that has read the same.
    var print: Fingerprint {
        var print = Fingerprint()
        print.add(Stickerd.version)
        print.add(words.addresses.base)
        print.add(listed?.print ?? Fingerprint())
        print.add(tombstones?.print ?? Fingerprint())
        for (id, seen) in known.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            print.add(id.rawValue)
            print.add(seen.print)
        }
        return print
    }

    /// Reads the changes.
    ///
    /// A sticker that is removed or moved appears in the list of removed ones, or in that of categories, before its
    /// manifest loses it. So manifests are read between two looks at these lists, and again if they have changed
    /// meanwhile.
    ///
    /// - Parameter beforeCommit: called before the index shows anything new.
    /// - Returns: whether anything has changed, and which files cannot be read.
    mutating func take(beforeCommit: () -> Void = {}) -> (isChanged: Bool, troubles: [String]) {
        let before = print
        var troubles: [String] = []
        func attempt(_ work: () throws -> Void) {
            do { try work() } catch { troubles.append("\(error)") }
        }
        for turn in 1...Self.turnsMax {
            troubles = []
            let lists = listMarks
            attempt { try takeList() }
            attempt { try takeRemoved() }
            let draft = takeCategories()
            if turn < Self.turnsMax, listMarks != lists { continue }
            if let draft { commit(draft, beforeCommit) }
            break
        }
        if let refused { troubles.append(refused.trouble) }
        return (print != before, troubles + faults.values.map(\.trouble).sorted())
    }

    /// The limit for a daemon that publishes without a pause.
    private static let turnsMax = 5

    private var listMarks: [FileStatus?] {
        ["index.json", RemovedStickers.fileName].map(reader.mark)
    }

    private mutating func takeRemoved() throws {
        let mark = reader.mark(of: RemovedStickers.fileName)
        guard tombstones == nil || tombstones?.mark != mark else { return }
        // The list is missing if nothing was ever removed.
        let isNone = mark == nil && tombstones == nil
        let (removed, print) = isNone ? ([], Fingerprint()) : try reader.removed()
        tombstones = Seen(
            mark: mark, print: print,
            value: Dictionary(removed.map { ($0.identifier, $0) }) { first, _ in first })
    }

    private mutating func takeList() throws {
        let mark = reader.mark(of: "index.json")
        guard listed == nil || listed?.mark != mark else { return }
        let (ids, print) = try reader.categories()
        listed = Seen(mark: mark, print: print, value: ids)
    }

    /// The changes if the changed categories are applied.
    private struct Next {
        var library: LibraryUpdate
        var change: Offer.Change
    }

    /// Reads the categories with changed manifests; `nil` if there are none to apply.
    private mutating func takeCategories() -> Next? {
        let ids = listed?.value ?? []
        let targets = ids.map { Target(category: $0, mark: reader.mark(of: "\($0)/manifest.json")) }
            .filter { known[$0.category] == nil || known[$0.category]?.mark != $0.mark }
        // A manifest that is back in its read state, or no longer listed, is no trouble.
        faults = faults.filter { id, _ in targets.contains { $0.category == id } }
        let changed = targets.filter { !isFaulty($0) }
        let gone = Set(known.keys).subtracting(ids)
        guard !changed.isEmpty || !gone.isEmpty, refused.map({ $0.at + pause <= .now }) ?? true
        else { return nil }
        var after = self
        var left = gone.flatMap { id in
            (after.known.removeValue(forKey: id)?.value.stickers ?? []).map { ($0, id) }
        }
        var claims = after.read(changed, &left)
        // A sticker that left a category may be in another one with a weaker claim.
        claims += after.read(after.others(with: left.map(\.0), than: changed), &left)
        let change = after.offer.take(left: left, claims: claims)
        return Next(library: after, change: change)
    }

    /// Applies the changes to the index; on failure everything stays as it was, and is retried.
    private mutating func commit(_ next: Next, _ beforeCommit: () -> Void) {
        do {
            try index.change(
                removing: next.change.gone, adding: next.change.rows, beforeCommit: beforeCommit)
            self = next.library
            refused = nil
        } catch {
            refused = Refused(trouble: "the index in \(index.folder) cannot be written: \(error)")
        }
    }

    private func isFaulty(_ target: Target) -> Bool {
        faults[target.category].map { $0.mark == target.mark && $0.at + pause > .now } ?? false
    }

    private mutating func fail(_ target: Target, _ error: any Error) {
        let before = faults[target.category].flatMap { $0.mark == target.mark ? $0 : nil }
        faults[target.category] = Fault(
            mark: target.mark,
            trouble: error is DamagedFile
                ? "\(error)" : "\(target.category)/manifest.json: \(FileTrouble(error))",
            tries: (before?.tries ?? 0) + 1)
    }

    // MARK: Reading categories

    /// A category to be read, and the state of its manifest before.
    private struct Target: Sendable {
        var category: CategoryID
        var mark: FileStatus?
    }

    /// A category as it was read, with its changes.
    private struct Draft: Sendable {
        var seen: Seen<Category>
        var claims: [Offer.Claim]
    }

    /// Reads categories, several at once.
    ///
    /// - Parameters:
    ///   - targets: the categories.
    ///   - left: receives the stickers that have left a category.
    /// - Returns: the claims that are not yet shown.
    private mutating func read(
        _ targets: [Target], _ left: inout [(StickerID, CategoryID)]
    ) -> [Offer.Claim] {
        let drafts = Mutex<[Int: Result<Draft, any Error>]>([:])
        DispatchQueue.concurrentPerform(iterations: targets.count) { [self] number in
            let result = Result { try draft(targets[number]) }
            drafts.withLock { $0[number] = result }
        }
        var claims: [Offer.Claim] = []
        for (number, result) in drafts.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
            let id = targets[number].category
            switch result {
            case .success(let draft):
                let before = known.updateValue(draft.seen, forKey: id)?.value.stickers ?? []
                left += before.subtracting(draft.seen.value.stickers).map { ($0, id) }
                claims += draft.claims
                faults[id] = nil
            case .failure(let error): fail(targets[number], error)
            }
        }
        return claims
    }

    private func draft(_ target: Target) throws -> Draft {
        let (category, print) = try reader.category(target.category)
        let facts = CategoryFacts(category)
        var claims: [Offer.Claim] = []
        var order = OfferOrder(category.identifier)
        for sticker in category.stickers {
            let place = order.place(of: sticker)
            var hasher = Hasher()
            hasher.combine(sticker)
            hasher.combine(category.identifier)
            hasher.combine(category.title)
            hasher.combine(place)
            let state = hasher.finalize()
            guard offer.state(of: sticker.identifier) != state else { continue }
            claims.append(
                Offer.Claim(
                    row: words.row(of: sticker, in: category, at: place), state: state,
                    changedAt: sticker.changedAt ?? ""))
        }
        return Draft(
            seen: Seen(
                mark: target.mark, print: print,
                value: Category(facts: facts, stickers: Set(facts.stickers))),
            claims: claims)
    }

    /// Other categories than `changed` that list one of some stickers. They are marked unread, so that they are read
    /// again if that fails now.
    private mutating func others(with stickers: [StickerID], than changed: [Target]) -> [Target] {
        let read = Set(changed.map(\.category))
        let ids = known.filter { id, seen in
            !read.contains(id) && stickers.contains { seen.value.stickers.contains($0) }
        }.keys.sorted { $0.rawValue < $1.rawValue }
        return ids.map { id in
            known[id]?.mark = nil
            return Target(category: id, mark: reader.mark(of: "\(id)/manifest.json"))
        }
    }
}
