/// What people say about a sticker; what is absent is left to the next who may tell.
///
/// The same keys stand in side files and, once they are settled, in manifests.
public struct StickerWords: Hashable, Sendable, Codable {
    /// The name for people.
    public var title: String?
    /// Emoji that mean the same; an empty list says that there are none.
    public var emojis: [String]?
    /// Words under which it is found besides its title.
    public var keywords: [String]?
    /// What a screen reader says.
    public var accessibilityText: String?
    /// Its place among the stickers of its category, as a number in front of the file's name would say.
    public var order: Int?
    /// Whether it is shown before others where stickers are offered.
    public var pinned: Bool?
    /// For whom it is fit.
    public var rating: Rating?
    /// How apps may colour it.
    public var tintMode: TintMode?
    /// Who made it.
    public var publisher: String?
    /// Under which terms, in words: `CC BY 4.0`.
    public var licence: String?
    /// Where to find more.
    public var links: Links?
    /// Its place in the list `order` of its category, from 0; those come before all others.
    public var place: Int?
    /// The path of the picture when that list named it, if it has another one now.
    public var listedAs: String?

    /// Creates words that say nothing.
    public init() {}

    /// Whether they say nothing.
    public var isEmpty: Bool { self == StickerWords() }

    /// These words without those that `others` say.
    public func without(_ others: StickerWords) -> StickerWords {
        var words = self
        if others.title != nil { words.title = nil }
        if others.emojis != nil { words.emojis = nil }
        if others.keywords != nil { words.keywords = nil }
        if others.accessibilityText != nil { words.accessibilityText = nil }
        if others.order != nil || others.place != nil { (words.order, words.listedAs) = (nil, nil) }
        if others.pinned != nil { words.pinned = nil }
        if others.rating != nil { words.rating = nil }
        if others.tintMode != nil { words.tintMode = nil }
        if others.publisher != nil { words.publisher = nil }
        if others.licence != nil { words.licence = nil }
        if others.links != nil { words.links = nil }
        return words
    }

    /// These words; where they say nothing, those of `others`.
    public func filled(from others: StickerWords?) -> StickerWords {
        guard let others else { return self }
        var words = self
        words.title = title ?? others.title
        words.emojis = emojis ?? others.emojis
        words.keywords = keywords ?? others.keywords
        words.accessibilityText = accessibilityText ?? others.accessibilityText
        // A number given to the sticker itself replaces its place in a list, and the other way round.
        if order == nil, place == nil { (words.order, words.place) = (others.order, others.place) }
        words.pinned = pinned ?? others.pinned
        words.rating = rating ?? others.rating
        words.tintMode = tintMode ?? others.tintMode
        words.publisher = publisher ?? others.publisher
        words.licence = licence ?? others.licence
        words.links = links ?? others.links
        return words
    }
}

/// For whom a sticker is fit, in the words of GIPHY's API.
public enum Rating: String, Hashable, Sendable, Codable, CaseIterable {
    case general = "g"
    case parentalGuidance = "pg"
    case fromThirteen = "pg-13"
    case restricted = "r"
}

/// How apps may colour a sticker, in the words of IMG.LY's sticker library.
public enum TintMode: String, Hashable, Sendable, Codable, CaseIterable {
    /// Not at all.
    case none
    /// Every pixel gets the colour, and keeps its transparency.
    case solid
    /// Every pixel gets the colour, and keeps how light it is.
    case colorized
}

/// Where to find more about a sticker or a category.
public struct Links: Hashable, Sendable, Codable {
    /// The publisher's site.
    public var website: String?
    /// An address to write to.
    public var email: String?
    /// The publisher's privacy policy.
    public var privacyPolicy: String?
    /// The terms under which it may be used.
    public var licence: String?
    /// The app in Apple's store.
    public var appStore: String?
    /// The app in Google's store.
    public var playStore: String?

    /// Creates an empty set of links.
    public init() {}
}
