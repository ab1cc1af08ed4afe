public import StickerModel

/// The parts of a category for one platform. A pure value.
public struct Parts: Hashable, Sendable {
    /// A sticker that is to be in some part.
    public struct Candidate: Hashable, Sendable {
        /// Its id.
        public var sticker: StickerID
        /// Whether it moves.
        public var moves: Bool

        /// Names a sticker.
        public init(_ sticker: StickerID, moves: Bool) {
            self.sticker = sticker
            self.moves = moves
        }
    }

    /// In the order of kind and number. A part may have fewer stickers than its platform wants, but not none.
    public private(set) var parts: [Part]
    /// Stickers that wait until there are enough of their kind for a part, in the order of the category.
    public private(set) var waiting: [PartKind: [StickerID]] = [:]
    /// The highest number that was ever given, by kind.
    public private(set) var numbers: [PartKind: Int]

    /// Takes parts as they were remembered.
    ///
    /// - Parameters:
    ///   - parts: the parts.
    ///   - numbers: the highest number that was ever given, by kind; numbers of `parts` count in any case.
    public init(_ parts: [Part] = [], numbers: [PartKind: Int] = [:]) {
        self.parts = parts
        self.numbers = parts.reduce(into: numbers) { numbers, part in
            numbers[part.kind] = max(numbers[part.kind] ?? 0, part.number)
        }
    }

    /// Divides a category. Stickers stay where they are, new ones fill parts that have room, and what is left makes
    /// parts of equal size; parts that have lost all stickers are gone.
    ///
    /// - Parameters:
    ///   - candidates: the stickers, in order.
    ///   - rules: those of the platform.
    public mutating func divide(_ candidates: [Candidate], by rules: PartRules) {
        var divided = Parts([], numbers: numbers)
        for kind in rules.dividesMoving ? [PartKind.still, .moving] : [.all] {
            let stickers = candidates.filter { kind == .all || $0.moves == (kind == .moving) }
                .map(\.sticker)
            let old = parts.filter { $0.kind == kind }.sorted { $0.number < $1.number }
            divided.add(stickers, kind, old, rules)
        }
        self = divided
    }

    private mutating func add(
        _ stickers: [StickerID], _ kind: PartKind, _ old: [Part], _ rules: PartRules
    ) {
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
        for group in Self.groups(of: homeless, rules) {
            // Where one part takes everything, it is always the same.
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
