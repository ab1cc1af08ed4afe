/// What was heard of a name since it was last looked at.
struct NameHint: OptionSet, Sendable {
    let rawValue: UInt8

    /// Closed by a writer or moved in, and not made anew since.
    static let complete = NameHint(rawValue: 1)
    /// It is new under this name.
    static let created = NameHint(rawValue: 2)
    /// It went away.
    static let gone = NameHint(rawValue: 4)
    /// Some event said that it is a folder.
    static let folder = NameHint(rawValue: 8)

    /// What one event says.
    init(_ change: WatchEvent.Change, isDirectory: Bool) {
        self =
            switch change {
            case .closed: .complete
            case .movedIn: [.complete, .created]
            case .created: .created
            case .altered: []
            case .gone: .gone
            }
        if isDirectory { insert(.folder) }
    }

    init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Adds what a later event says: a name made anew is not complete because the old file was.
    mutating func add(_ later: NameHint) {
        if later.contains(.created) || later.contains(.gone) { remove(.complete) }
        formUnion(later)
    }
}

/// Names that wait to be looked at, each once, in the order in which they were first heard of.
struct NameQueue: Sendable {
    /// One name.
    struct Key: Hashable, Sendable {
        var folder: FolderID
        var name: [UInt8]
    }

    private let capacity: Int
    private var hints: [Key: NameHint] = [:]
    private var order: [Key] = []
    private var head = 0

    init(capacity: Int) {
        self.capacity = capacity
    }

    var isEmpty: Bool { hints.isEmpty }

    /// Adds to what is known of a name; `false` when there is no room for another one.
    mutating func note(_ key: Key, _ hint: NameHint) -> Bool {
        if hints[key]?.add(hint) != nil { return true }
        guard hints.count < capacity else { return false }
        hints[key] = hint
        order.append(key)
        return true
    }

    /// Takes out the next names, at most `countMax`.
    mutating func take(_ countMax: Int) -> [(key: Key, hint: NameHint)] {
        let end = min(order.count, head + countMax)
        let taken = order[head..<end].compactMap { key in
            hints.removeValue(forKey: key).map { (key, $0) }
        }
        head = end
        if head * 2 >= order.count {
            order.removeFirst(head)
            head = 0
        }
        return taken
    }
}
