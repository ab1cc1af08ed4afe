public import Foundation

/// A sticker, as an app shows it.
///
/// Its first three properties are all that a sticker provider has to know. The others say more if the server or the
/// manifest does.
public struct Sticker: Hashable, Sendable, Identifiable {
    /// The id. It is never given to another picture, so it may be stored.
    public var identifier: String
    /// The picture: a PNG or GIF in answers of a provider unless WebP was asked for, the file of the library's first
    /// target in manifests.
    public var imageURL: URL
    /// A small PNG that stands still.
    public var thumbnailURL: URL?
    /// The picture as PNG or GIF, for editors that show no WebP; in manifests alone.
    public var companionURL: URL?
    /// The name for people.
    public var title: String?
    /// The id of its category.
    public var category: String?
    /// Whether it moves.
    public var isAnimated = false
    /// The emoji that mean the same.
    public var emojis: [String] = []
    /// Words under which it is found besides its title.
    public var keywords: [String] = []
    /// What a screen reader says, if that is not the title.
    public var accessibilityText: String?
    /// For whom it is fit, if somebody said so.
    public var rating: Rating?
    /// How the app may colour it.
    public var tintMode = TintMode.none
    /// Whether it is shown before others where stickers are offered. What follows is in manifests alone.
    public var isPinned = false
    /// Who made it, if that is not the publisher of the category.
    public var publisher: String?
    /// Under which terms, if they are not those of the category.
    public var licence: String?
    /// Every file of it.
    public var files: [StickerFile] = []
    /// When it was published first.
    public var publishedAt: Date?
    /// When its picture, its words or its category last changed.
    public var changedAt: Date?

    /// Creates a sticker as the samples of editors do.
    ///
    /// - Parameters:
    ///   - imageURL: the picture.
    ///   - thumbnailURL: a small picture, if there is one.
    ///   - identifier: the id.
    public init(imageURL: URL, thumbnailURL: URL?, identifier: String) {
        self.imageURL = imageURL
        self.thumbnailURL = thumbnailURL
        self.identifier = identifier
    }

    /// The same as `identifier`.
    public var id: String { identifier }

    /// What a screen reader says: the text for that, else the title, else the id.
    public var label: String { accessibilityText ?? title ?? identifier }
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
