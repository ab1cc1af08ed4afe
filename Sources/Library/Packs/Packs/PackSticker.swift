public import StickerModel

/// A sticker as a pack holds it: one picture, and what a platform may be told about it.
public struct PackSticker: Hashable, Sendable, Codable {
    /// The id, which is the same in every pack.
    public var identifier: StickerID
    /// The name for people.
    public var title: String
    /// The emoji that mean the same.
    public var emojis: [String]
    /// Words under which it is found besides its title.
    public var keywords: [String]
    /// What a screen reader says; its title if absent.
    public var accessibilityText: String?
    /// How apps may colour it.
    public var tintMode: TintMode?
    /// Who made it, if that is not the publisher of the pack.
    public var publisher: String?
    /// Under which terms, if they are not those of the pack.
    public var licence: String?
    /// The file in the drop that it was made from, for messages.
    public var source: String
    /// The picture that the platform gets.
    public var picture: PackPicture
    /// A small PNG that stands still.
    public var thumbnail: PublishedPicture?

    /// Takes what a manifest says.
    ///
    /// - Parameters:
    ///   - sticker: the entry.
    ///   - picture: one of its files.
    public init(_ sticker: ManifestSticker, _ picture: PackPicture) {
        identifier = sticker.identifier
        title = sticker.title
        emojis = sticker.emojis
        keywords = sticker.keywords ?? []
        accessibilityText = sticker.accessibilityText
        tintMode = sticker.tintMode
        publisher = sticker.publisher
        licence = sticker.licence
        source = sticker.source.name
        self.picture = picture
        thumbnail = sticker.thumbnailURL.flatMap(PublishedPicture.init(url:))
    }

    /// What a screen reader says.
    public var spokenText: String { accessibilityText ?? title }
}

/// A picture of a sticker, and what is known of it without opening it.
public struct PackPicture: Hashable, Sendable, Codable {
    /// The hash of its bytes.
    public var sha256: ContentHash
    /// Its format.
    public var format: ImageFormat
    /// Pixels across.
    public var width: Int
    /// Pixels down.
    public var height: Int
    /// Bytes.
    public var bytes: Int
    /// Frames, if it moves.
    public var frames: Int?
    /// Playing time, if it moves.
    public var durationMilliseconds: Int?

    /// Describes a file of a sticker.
    public init(_ file: ManifestSticker.File) {
        sha256 = file.sha256
        format = file.format
        width = file.width
        height = file.height
        bytes = file.bytes
        frames = file.frames
        durationMilliseconds = file.durationMilliseconds
    }

    /// Whether it moves: at least two frames, whatever it was made of.
    public var moves: Bool { frames ?? 1 > 1 }

    /// Where it lies in the published tree.
    public var published: PublishedPicture { PublishedPicture(sha256: sha256, format: format) }
}

/// A picture that stands for a pack: a PNG that stands still, of the cover or the first sticker.
public struct PackIcon: Hashable, Sendable, Codable {
    /// Its size in pixels.
    public var size: PixelSize
    /// The picture.
    public var picture: PublishedPicture

    /// Creates an icon.
    public init(size: PixelSize, picture: PublishedPicture) {
        self.size = size
        self.picture = picture
    }
}
