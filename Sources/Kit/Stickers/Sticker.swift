public import Foundation

/// A sticker, as an app shows it.
///
/// Its first three properties are all that a sticker provider has to know. The others say more if the server or the
/// manifest does. Like the stickers of photo and video editors it is a class that apps extend with initialisers of their
/// own, and nothing of it ever changes.
public final class Sticker: Hashable, Sendable, Identifiable {
    /// The id. It is never given to another picture, so it may be stored.
    public let identifier: String
    /// The picture: a PNG or GIF in answers of a provider unless WebP was asked for, the file of the library's first
    /// target in manifests.
    public let imageURL: URL
    /// A small PNG that stands still.
    public let thumbnailURL: URL?
    private let details: StickerDetails

    /// Creates a sticker as the samples of editors do.
    ///
    /// - Parameters:
    ///   - imageURL: the picture.
    ///   - thumbnailURL: a small picture, if there is one.
    ///   - identifier: the id.
    public convenience init(imageURL: URL, thumbnailURL: URL?, identifier: String) {
        self.init(
            imageURL: imageURL, thumbnailURL: thumbnailURL, identifier: identifier,
            details: StickerDetails())
    }

    /// Creates a sticker of which more is known.
    init(imageURL: URL, thumbnailURL: URL?, identifier: String, details: StickerDetails) {
        self.imageURL = imageURL
        self.thumbnailURL = thumbnailURL
        self.identifier = identifier
        self.details = details
    }

    /// The same as `identifier`.
    public var id: String { identifier }

    /// Whether all that is known of two stickers is the same.
    public static func == (one: Sticker, other: Sticker) -> Bool {
        one.identifier == other.identifier && one.imageURL == other.imageURL
            && one.thumbnailURL == other.thumbnailURL && one.details == other.details
    }

    /// Feeds what tells most stickers apart.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(identifier)
        hasher.combine(imageURL)
    }
}

extension Sticker {
    /// The picture as PNG or GIF, for editors that show no WebP; in manifests alone.
    public var companionURL: URL? { details.companionURL }
    /// The name for people.
    public var title: String? { details.title }
    /// The id of its category.
    public var category: String? { details.category }
    /// Whether it moves.
    public var isAnimated: Bool { details.isAnimated }
    /// The emoji that mean the same.
    public var emojis: [String] { details.emojis }
    /// Words under which it is found besides its title.
    public var keywords: [String] { details.keywords }
    /// What a screen reader says, if that is not the title.
    public var accessibilityText: String? { details.accessibilityText }
    /// For whom it is fit, if somebody said so.
    public var rating: Rating? { details.rating }
    /// How the app may colour it.
    public var tintMode: TintMode { details.tintMode }
    /// Whether it is shown before others where stickers are offered. What follows is in manifests alone.
    public var isPinned: Bool { details.isPinned }
    /// Who made it, if that is not the publisher of the category.
    public var publisher: String? { details.publisher }
    /// Under which terms, if they are not those of the category.
    public var licence: String? { details.licence }
    /// Every file of it.
    public var files: [StickerFile] { details.files }
    /// When it was published first.
    public var publishedAt: Date? { details.publishedAt }
    /// When its picture, its words or its category last changed.
    public var changedAt: Date? { details.changedAt }

    /// What a screen reader says: the text for that, else the title, else the id.
    public var label: String { accessibilityText ?? title ?? identifier }
}

/// The words of a server or a manifest about a sticker besides its addresses; see the properties of `Sticker`.
struct StickerDetails: Hashable, Sendable {
    var companionURL: URL?
    var title: String?
    var category: String?
    var isAnimated = false
    var emojis: [String] = []
    var keywords: [String] = []
    var accessibilityText: String?
    var rating: Sticker.Rating?
    var tintMode = Sticker.TintMode.none
    var isPinned = false
    var publisher: String?
    var licence: String?
    var files: [StickerFile] = []
    var publishedAt: Date?
    var changedAt: Date?
}

extension Sticker {
    /// For whom a sticker is fit. A later release of stickerd may know more of them.
    public struct Rating: RawRepresentable, Hashable, Sendable, Codable {
        /// The word in JSON.
        public var rawValue: String

        /// Creates a rating by its word in JSON.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// For everybody.
        public static let general = Rating(rawValue: "g")
        /// With the guidance of parents.
        public static let parentalGuidance = Rating(rawValue: "pg")
        /// From 13 years on.
        public static let fromThirteen = Rating(rawValue: "pg-13")
        /// For adults.
        public static let restricted = Rating(rawValue: "r")
    }

    /// How an app may colour a sticker. A later release of stickerd may know more of them.
    public struct TintMode: RawRepresentable, Hashable, Sendable, Codable {
        /// The word in JSON.
        public var rawValue: String

        /// Creates a mode by its word in JSON.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Not at all.
        public static let none = TintMode(rawValue: "none")
        /// All that is not transparent gets one colour.
        public static let solid = TintMode(rawValue: "solid")
        /// It is coloured, and keeps its lights and shadows.
        public static let colorized = TintMode(rawValue: "colorized")
    }
}
