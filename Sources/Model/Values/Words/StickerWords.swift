/// A sticker's words; absent ones are filled from the next source.
///
/// Side files and manifests have the same keys.
public struct StickerWords: Hashable, Sendable, Codable {
    /// The title.
    public var title: String?
    /// Emoji with the same meaning; an empty list means none.
    public var emojis: [String]?
    /// Search words besides its title.
    public var keywords: [String]?
    /// The text for screen readers.
    public var accessibilityText: String?
    /// Its place among the stickers of its category, like a number at the start of the file's name.
    public var order: Int?
    /// Whether it is shown before others where stickers are offered.
    public var pinned: Bool?
    /// The suitable audience.
    public var rating: Rating?
    /// How apps may tint it.
    public var tintMode: TintMode?
    /// The author.
    public var publisher: String?
    /// The licence, in words: `CC BY 4.0`.
    public var licence: String?
    /// Links to more information.
    public var links: Links?
    /// Its place in the list `order` of its category, from 0; listed stickers come before all others.
    public var place: Int?
    /// The path of the picture in that list, if it has another one now.
    public var listedAs: String?

    /// Creates empty words.
    public init() {}

    /// Whether there are none.
    public var isEmpty: Bool { self == StickerWords() }

    /// These words without the keys that `others` have.
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

    /// These words, with gaps filled from `others`.
    public func filled(from others: StickerWords?) -> StickerWords {
        guard let others else { return self }
        var words = self
        words.title = title ?? others.title
        words.emojis = emojis ?? others.emojis
        words.keywords = keywords ?? others.keywords
        words.accessibilityText = accessibilityText ?? others.accessibilityText
        // A sticker's own number replaces its place in a list, and vice versa.
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

/// The audience of a sticker, in the words of GIPHY's API.
public enum Rating: String, Hashable, Sendable, Codable, CaseIterable {
    case general = "g"
    case parentalGuidance = "pg"
    case fromThirteen = "pg-13"
    case restricted = "r"
}

/// How apps may tint a sticker, in the words of IMG.LY's sticker library.
public enum TintMode: String, Hashable, Sendable, Codable, CaseIterable {
    /// Not at all.
    case none
    /// Every pixel gets the colour, and keeps its transparency.
    case solid
    /// Every pixel gets the colour, and keeps its brightness.
    case colorized
}

/// Links to more information about a sticker or a category.
public struct Links: Hashable, Sendable, Codable {
    /// The publisher's site.
    public var website: String?
    /// The publisher's e-mail address.
    public var email: String?
    /// The publisher's privacy policy.
    public var privacyPolicy: String?
    /// The licence.
    public var licence: String?
    /// The app in Apple's store.
    public var appStore: String?
    /// The app in Google's store.
    public var playStore: String?

    /// Creates an empty set of links.
    public init() {}
}
