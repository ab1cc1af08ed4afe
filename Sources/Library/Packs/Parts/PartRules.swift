public import StickerValues

/// How a platform divides a category into packs.
public struct PartRules: Hashable, Sendable {
    /// The fewest stickers of a pack.
    public var least: Int
    /// The most stickers of a pack; `nil` for any number.
    public var most: Int?
    /// Whether stickers that move are in packs of their own.
    public var dividesMoving: Bool
    /// Every pack has a multiple of this number; the rest waits until it fills a step.
    public var step: Int

    /// Creates rules; see the properties.
    public init(least: Int = 1, most: Int? = nil, dividesMoving: Bool = false, step: Int = 1) {
        precondition(least >= 1 && step >= 1 && least.isMultiple(of: step))
        precondition(most.map { $0 >= 2 * least - step && $0.isMultiple(of: step) } ?? true)
        self.least = least
        self.most = most
        self.dividesMoving = dividesMoving
        self.step = step
    }

    /// How many stickers without a pack join one: first enough to complete a step, then whole steps.
    ///
    /// - Parameters:
    ///   - homeless: stickers without a pack.
    ///   - size: the size of the pack.
    /// - Returns: their number.
    func joining(_ homeless: Int, size: Int) -> Int {
        let room = min(homeless, max(0, (most ?? .max) - size))
        let gap = (step - size % step) % step
        return room < gap ? room : gap + (room - gap) / step * step
    }
}

/// The common property of a pack's stickers.
public enum PartKind: String, Hashable, Sendable, Codable, CaseIterable {
    /// Anything.
    case all
    /// Stills.
    case still
    /// Animations.
    case moving

    /// The remedy for too few of them: `add 2 still pictures to the category cats`.
    ///
    /// - Parameters:
    ///   - count: how many are missing, at least 1.
    ///   - category: the category.
    /// - Returns: one sentence in lower case.
    func adding(_ count: Int, to category: CategoryID) -> String {
        let pictures =
            switch self {
            case .all: count.counted("picture", "pictures")
            case .still: count.counted("still picture", "still pictures")
            case .moving: count.counted("moving picture", "moving pictures")
            }
        return "add \(pictures) to the category \(category)"
    }
}

/// One stored pack of a category: a sticker stays in its part as long as both exist.
public struct Part: Hashable, Sendable, Codable {
    /// The common property of its stickers.
    public var kind: PartKind
    /// Its number among those of its kind, from 1; never given again.
    public var number: Int
    /// Its stickers, in the order of the category.
    public var stickers: [StickerID]

    /// Creates a part.
    public init(kind: PartKind, number: Int, stickers: [StickerID]) {
        self.kind = kind
        self.number = number
        self.stickers = stickers
    }
}
