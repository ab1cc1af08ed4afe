public import Foundation

/// A sticker for an app.
///
/// A sticker provider only needs its first three properties. The others are set if the server or the manifest has them.
/// Like the stickers of photo and video editors it is an immutable class, which apps can extend with initialisers.
public final class Sticker: Hashable, Sendable, Identifiable {
    /// The id. It is never given to another picture, so it may be stored.
    public let identifier: String
    /// The picture: in answers of a provider a PNG or GIF unless WebP was requested, in manifests the file of the
    /// library's first target.
    public let imageURL: URL
    /// A small still PNG.
    public let thumbnailURL: URL?
    private let details: StickerDetails

    /// Creates a sticker, as in the samples of editors.
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

    /// Creates a sticker with details.
    init(imageURL: URL, thumbnailURL: URL?, identifier: String, details: StickerDetails) {
        self.imageURL = imageURL
        self.thumbnailURL = thumbnailURL
        self.identifier = identifier
        self.details = details
    }

    /// The same as `identifier`.
    public var id: String { identifier }

    /// Whether all properties of two stickers are equal.
    public static func == (one: Sticker, other: Sticker) -> Bool {
        one.identifier == other.identifier && one.imageURL == other.imageURL
            && one.thumbnailURL == other.thumbnailURL && one.details == other.details
    }

    /// Hashes the properties that distinguish most stickers.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(identifier)
        hasher.combine(imageURL)
    }
}

extension Sticker {
    /// The picture as PNG or GIF, for editors without WebP; only in manifests.
    public var companionURL: URL? { details.companionURL }
    /// The name for people.
    public var title: String? { details.title }
    /// The id of its category.
    public var category: String? { details.category }
    /// Whether it moves.
    public var isAnimated: Bool { details.isAnimated }
    /// The emoji with the same meaning.
    public var emojis: [String] { details.emojis }
    /// Search words besides its title.
    public var keywords: [String] { details.keywords }
    /// The text for screen readers, if that is not the title.
    public var accessibilityText: String? { details.accessibilityText }
    /// The rating, if it has one.
    public var rating: Rating? { details.rating }
    /// How the app may tint it.
    public var tintMode: TintMode { details.tintMode }
    /// Whether it is offered before others. This and the following are only in manifests.
    public var isPinned: Bool { details.isPinned }
    /// Its author, if that is not the publisher of the category.
    public var publisher: String? { details.publisher }
    /// Its terms, if they are not those of the category.
    public var licence: String? { details.licence }
    /// Every file of it.
    public var files: [StickerFile] { details.files }
    /// When it was first published.
    public var publishedAt: Date? { details.publishedAt }
    /// When its picture, its words or its category last changed.
    public var changedAt: Date? { details.changedAt }

    /// The label for screen readers: the text for that, else the title, else the id.
    public var label: String { accessibilityText ?? title ?? identifier }
}

/// The details of a sticker from a server or a manifest; see the properties of `Sticker`.
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
    /// An age rating. Later releases of stickerd may add others.
    public struct Rating: RawRepresentable, Hashable, Sendable, Codable {
        /// The word in JSON.
        public var rawValue: String

        /// Creates a rating by its word in JSON.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// For everybody.
        public static let general = Rating(rawValue: "g")
        /// With parental guidance.
        public static let parentalGuidance = Rating(rawValue: "pg")
        /// From 13 years.
        public static let fromThirteen = Rating(rawValue: "pg-13")
        /// For adults.
        public static let restricted = Rating(rawValue: "r")
    }

    /// How an app may tint a sticker. Later releases of stickerd may add others.
    public struct TintMode: RawRepresentable, Hashable, Sendable, Codable {
        /// The word in JSON.
        public var rawValue: String

        /// Creates a mode by its word in JSON.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Not at all.
        public static let none = TintMode(rawValue: "none")
        /// Everything visible gets one colour.
        public static let solid = TintMode(rawValue: "solid")
        /// It is tinted, and keeps its lights and shadows.
        public static let colorized = TintMode(rawValue: "colorized")
    }
}
