/// What people say about a category; what is absent is left to the next who may tell.
public struct CategoryWords: Hashable, Sendable, Codable {
    /// The name for people.
    public var title: String?
    /// What it is about.
    public var description: String?
    /// Who made it.
    public var publisher: String?
    /// Under which terms, in words: `CC BY 4.0`.
    public var licence: String?
    /// Where to find more.
    public var links: Links?
    /// What its packs say instead, by platform.
    public var packs: [PackPlatform: PackWords]?

    /// Creates words that say nothing.
    public init() {}

    /// Whether they say nothing.
    public var isEmpty: Bool { self == CategoryWords() }

    /// These words; where they say nothing, those of `others`.
    public func filled(from others: CategoryWords) -> CategoryWords {
        var words = self
        words.title = title ?? others.title
        words.description = description ?? others.description
        words.publisher = publisher ?? others.publisher
        words.licence = licence ?? others.licence
        words.links = links ?? others.links
        words.packs = packs ?? others.packs
        return words
    }
}

/// What the packs for one platform say instead of the category.
public struct PackWords: Hashable, Sendable, Codable {
    /// The pack's name.
    public var title: String?
    /// What it is about.
    public var description: String?
    /// Who made it.
    public var publisher: String?

    /// Creates words that say nothing.
    public init() {}
}
