/// The events of a name since its last look.
struct NameHint: OptionSet, Sendable {
    let rawValue: UInt8

    /// Closed by a writer or moved in, and not created again since.
    static let complete = NameHint(rawValue: 1)
    /// New under this name.
    static let created = NameHint(rawValue: 2)
    /// Deleted or moved away.
    static let gone = NameHint(rawValue: 4)
    /// Reported as a folder.
    static let folder = NameHint(rawValue: 8)
    /// Had another name before, under which a picture may be known.
    static let moved = NameHint(rawValue: 16)

    /// Whether the name may be half of a move.
    var isOfMove: Bool { !isDisjoint(with: [.gone, .moved]) }

    /// Adds a later event: a name that is created again is not complete because the old file was.
    mutating func add(_ later: NameHint) {
        if later.contains(.created) || later.contains(.gone) { remove(.complete) }
        formUnion(later)
    }
}

extension NameHint {
    /// The hint of one event.
    init(_ change: WatchEvent.Change, isDirectory: Bool) {
        self =
            switch change {
            case .closed: .complete
            case .movedIn: [.complete, .created, .moved]
            case .arrived: [.complete, .created]
            case .created: .created
            case .altered: []
            case .gone: .gone
            }
        if isDirectory { insert(.folder) }
    }
}

/// Names to be examined, each once, in the order of their first event. If more are waiting than are taken at once,
/// every folder gets its share.
struct NameQueue: Sendable {
    /// One name.
    struct Key: Hashable, Sendable {
        var folder: FolderID
        var name: [UInt8]
    }

    /// The line whose turn it is: a folder's, or, if `nil`, that of names that went away or were moved from a name that
    /// may be known. These share one line whatever their folders: an id follows its file only if both names are
    /// examined in the order of the moves.
    private typealias Turn = FolderID?

    /// The names waiting for one turn, each with its place in the overall order.
    private struct Line: Sendable {
        private var names: [(place: Int, key: Key)] = []
        private var head = 0

        var count: Int { names.count - head }

        mutating func append(_ key: Key, at place: Int) { names.append((place, key)) }

        mutating func take(_ countMax: Int) -> ArraySlice<(place: Int, key: Key)> {
            let end = min(names.count, head + countMax)
            let taken = names[head..<end]
            head = end
            if head * 2 >= names.count {
                names.removeFirst(head)
                head = 0
            }
            return taken
        }
    }

    private let capacity: Int
    private var hints: [Key: NameHint] = [:]
    private var lines: [Turn: Line] = [:]
    /// The turns with a line, the next one first.
    private var turns: [Turn] = []
    private var nextPlace = 0

    init(capacity: Int) {
        self.capacity = capacity
    }

    var isEmpty: Bool { hints.isEmpty }

    /// Adds an event of a name; `false` if there is no room for another name, in total or in the line of its folder,
    /// which must leave some to others.
    mutating func note(_ key: Key, _ hint: NameHint) -> Bool {
        if hints[key]?.add(hint) != nil { return true }
        let turn: Turn = hint.isOfMove ? nil : key.folder
        let isNew = lines[turn] == nil
        guard hints.count < capacity, lines[turn]?.count ?? 0 < capacity - capacity / 4 else {
            return false
        }
        hints[key] = hint
        if isNew { turns.append(turn) }
        lines[turn, default: Line()].append(key, at: nextPlace)
        nextPlace += 1
        return true
    }

    /// Takes out the next names, at most `countMax`.
    ///
    /// The share is the same for every folder; longer lines get the rest of the shorter ones. A file that was just
    /// written, or came from elsewhere, does not wait behind a copy into other folders.
    mutating func take(_ countMax: Int) -> [(key: Key, hint: NameHint)] {
        var taken: [(place: Int, key: Key)] = []
        while taken.count < countMax, !turns.isEmpty {
            taken += takeRound(countMax - taken.count)
        }
        taken.sort { $0.place < $1.place }
        return taken.compactMap { taken in
            hints.removeValue(forKey: taken.key).map { (taken.key, $0) }
        }
    }

    /// Takes a share of every folder, as far as `countMax` allows.
    private mutating func takeRound(_ countMax: Int) -> [(place: Int, key: Key)] {
        var taken: [(place: Int, key: Key)] = []
        let served = min(turns.count, countMax)
        let share = countMax / served
        var unfinished: [Turn] = []
        for turn in turns.prefix(served) {
            taken += lines[turn]?.take(share) ?? []
            if lines[turn]?.count == 0 { lines[turn] = nil } else { unfinished.append(turn) }
        }
        turns = Array(turns.dropFirst(served)) + unfinished
        return taken
    }
}
