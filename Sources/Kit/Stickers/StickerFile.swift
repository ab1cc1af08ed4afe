public import Foundation

/// One file of a sticker in a manifest.
public struct StickerFile: Hashable, Sendable {
    /// The purpose of a file. Later releases of stickerd may add others.
    public struct Role: RawRepresentable, Hashable, Sendable, Codable {
        /// The word in JSON.
        public var rawValue: String

        /// Creates a role by its word in JSON.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The sticker itself, by the rules of the library's first target.
        public static let sticker = Role(rawValue: "sticker")
        /// The picture by the rules of a further target.
        public static let rendition = Role(rawValue: "rendition")
        /// The picture as PNG or GIF.
        public static let companion = Role(rawValue: "companion")
        /// A small still.
        public static let thumbnail = Role(rawValue: "thumbnail")
        /// The first frame of a moving sticker.
        public static let poster = Role(rawValue: "poster")
        /// The 96x96 PNG that can represent a category.
        public static let tray = Role(rawValue: "tray")
    }

    /// Its purpose.
    public var role: Role
    /// The target whose rules it follows, for the roles `sticker` and `rendition`.
    public var target: String?
    /// `webp`, `png` or `gif`.
    public var format: String
    /// Its address.
    public var url: URL
    /// Pixels across.
    public var width: Int
    /// Pixels down.
    public var height: Int
    /// Bytes.
    public var bytes: Int
    /// The SHA-256 of its content, in lower-case hexadecimal digits.
    public var sha256: String
    /// Frames, if it moves.
    public var frames: Int?
    /// Playing time, if it moves.
    public var durationMilliseconds: Int?
}
