/// A category's words; absent ones are filled from the next source.
public struct CategoryWords: Hashable, Sendable, Codable {
    /// The title.
    public var title: String?
    /// The description.
    public var description: String?
    /// The author.
    public var publisher: String?
    /// The licence, in words: `CC BY 4.0`.
    public var licence: String?
    /// Links to more information.
    public var links: Links?
    /// Specific words of its packs, by platform.
    public var packs: [PackPlatform: PackWords]?
    /// The look of its stickers.
    public var look: CategoryLook?

    /// Creates empty words.
    public init() {}

    /// Whether there are none.
    public var isEmpty: Bool { self == CategoryWords() }

    /// These words, with gaps filled from `others`.
    public func filled(from others: CategoryWords) -> CategoryWords {
        var words = self
        words.title = title ?? others.title
        words.description = description ?? others.description
        words.publisher = publisher ?? others.publisher
        words.licence = licence ?? others.licence
        words.links = links ?? others.links
        words.packs = packs ?? others.packs
        words.look = look.map { others.look.map($0.filled) ?? $0 } ?? others.look
        return words
    }
}

/// The words of the packs for one platform, instead of the category's.
public struct PackWords: Hashable, Sendable, Codable {
    /// The title.
    public var title: String?
    /// The description.
    public var description: String?
    /// The author.
    public var publisher: String?

    /// Creates empty words.
    public init() {}
}
