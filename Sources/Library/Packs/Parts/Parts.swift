public import StickerValues

/// The parts of a category for one platform.
public struct Parts: Hashable, Sendable {
    /// A sticker to be assigned to a part.
    public struct Candidate: Hashable, Sendable {
        /// Its id.
        public var sticker: StickerID
        /// Whether it moves.
        public var moves: Bool
        /// When it was first published, in ISO 8601; empty if unknown.
        public var publishedAt: String

        /// Creates a candidate.
        public init(_ sticker: StickerID, moves: Bool, publishedAt: String = "") {
            self.sticker = sticker
            self.moves = moves
            self.publishedAt = publishedAt
        }
    }

    /// In the order of kind and number. A part may have fewer stickers than its platform requires, but not none.
    public private(set) var parts: [Part]
    /// Stickers that wait for enough others of their kind, in the order of the category.
    public private(set) var waiting: [PartKind: [StickerID]] = [:]
    /// The highest number ever given, by kind.
    public private(set) var numbers: [PartKind: Int]

    /// Takes stored parts.
    ///
    /// - Parameters:
    ///   - parts: the parts.
    ///   - numbers: the highest number ever given, by kind; numbers of `parts` always count.
    public init(_ parts: [Part] = [], numbers: [PartKind: Int] = [:]) {
        self.parts = parts
        self.numbers = parts.reduce(into: numbers) { numbers, part in
            numbers[part.kind] = max(numbers[part.kind] ?? 0, part.number)
        }
    }

    /// Divides a category. Stickers stay where they are, new ones fill parts with room, and the rest makes parts of
    /// equal size; empty parts are removed.
    ///
    /// - Parameters:
    ///   - candidates: the stickers, in order.
    ///   - rules: those of the platform.
    ///   - rebalancing: whether the newest stickers leave a large part if leftover ones need them for a part of their
    ///     own.
    public mutating func divide(
        _ candidates: [Candidate], by rules: PartRules, rebalancing: Bool = false
    ) {
        var divided = Parts([], numbers: numbers)
        for kind in rules.dividesMoving ? [PartKind.still, .moving] : [.all] {
            let own = candidates.filter { kind == .all || $0.moves == (kind == .moving) }
            let old = parts.filter { $0.kind == kind }.sorted { $0.number < $1.number }
            divided.add(own, kind, old, rules, rebalancing)
        }
        self = divided
    }

    private mutating func add(
        _ candidates: [Candidate], _ kind: PartKind, _ old: [Part], _ rules: PartRules,
        _ rebalancing: Bool
    ) {
        let stickers = candidates.map(\.sticker)
        var home: [StickerID: Int] = [:]
        for part in old { for sticker in part.stickers { home[sticker] = part.number } }
        let present = Set(stickers)
        var sizes: [Int: Int] = [:]
        for part in old { sizes[part.number] = part.stickers.count { present.contains($0) } }
        var homeless = stickers.filter { home[$0] == nil }
        for part in old where sizes[part.number] ?? 0 > 0 {
            let joining = rules.joining(homeless.count, size: sizes[part.number] ?? 0)
            for sticker in homeless.prefix(joining) { home[sticker] = part.number }
            homeless.removeFirst(joining)
        }
        if rebalancing, rules.step == 1, 1..<rules.least ~= homeless.count {
            for sticker in Self.newest(rules.least - homeless.count, of: candidates, home, rules) {
                home[sticker] = nil
            }
            homeless = stickers.filter { home[$0] == nil }
        }
        for group in Self.groups(of: homeless, rules) {
            // A part that takes everything always is the same.
            let number = rules.most == nil ? 1 : (numbers[kind] ?? 0) + 1
            numbers[kind] = number
            for sticker in group { home[sticker] = number }
        }
        let left = stickers.filter { home[$0] == nil }
        if !left.isEmpty { waiting[kind] = left }
        let members = Dictionary(grouping: stickers.filter { home[$0] != nil }) { home[$0] ?? 0 }
        parts += members.sorted { $0.key < $1.key }
            .map { Part(kind: kind, number: $0.key, stickers: $0.value) }
    }

    /// The newest stickers of the largest part, if it can spare that many.
    private static func newest(
        _ count: Int, of candidates: [Candidate], _ home: [StickerID: Int], _ rules: PartRules
    ) -> [StickerID] {
        let parts = Dictionary(grouping: candidates.filter { home[$0.sticker] != nil }) {
            home[$0.sticker] ?? 0
        }
        let largest = parts.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }?.value
        guard let largest, largest.count - count >= rules.least else { return [] }
        // Of stickers published together, the last ones.
        return largest.enumerated()
            .sorted { ($0.element.publishedAt, $0.offset) < ($1.element.publishedAt, $1.offset) }
            .suffix(count).map(\.element.sticker)
    }

    /// As few groups as possible whose sizes differ by at most one step; none if the stickers are too few for one.
    private static func groups(
        of stickers: [StickerID], _ rules: PartRules
    ) -> [ArraySlice<StickerID>] {
        let steps = stickers.count / rules.step
        guard steps * rules.step >= rules.least else { return [] }
        let count = rules.most.map { (steps * rules.step + $0 - 1) / $0 } ?? 1
        return (0..<count).map { index in
            let bounds = [index, index + 1].map { $0 * steps / count * rules.step }
            return stickers[bounds[0]..<bounds[1]]
        }
    }
}
