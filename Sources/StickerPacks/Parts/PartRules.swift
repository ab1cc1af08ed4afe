public import StickerModel

/// How a platform divides a category into packs.
public struct PartRules: Hashable, Sendable {
    /// The fewest stickers of a pack.
    public var least: Int
    /// The most stickers of a pack; `nil` for any number.
    public var most: Int?
    /// Whether stickers that move are in packs of their own.
    public var dividesMoving: Bool

    /// Creates rules; see the properties.
    public init(least: Int = 1, most: Int? = nil, dividesMoving: Bool = false) {
        precondition(least >= 1 && most.map { $0 >= 2 * least - 1 } ?? true)
        self.least = least
        self.most = most
        self.dividesMoving = dividesMoving
    }
}

/// What the stickers of a pack have in common.
public enum PartKind: String, Hashable, Sendable, Codable, CaseIterable {
    /// Anything.
    case all
    /// They stand still.
    case still
    /// They move.
    case moving
}

/// One pack of a category, which is remembered: a sticker stays in its part as long as both exist.
public struct Part: Hashable, Sendable, Codable {
    /// What its stickers have in common.
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
