public import StickerValues

/// A sticker in a pack: one picture, and its data for a platform.
public struct PackSticker: Hashable, Sendable, Codable {
    /// The id, which is the same in every pack.
    public var identifier: StickerID
    /// The title.
    public var title: String
    /// The emoji with the same meaning.
    public var emojis: [String]
    /// Search words besides its title.
    public var keywords: [String]
    /// The text for screen readers; its title if absent.
    public var accessibilityText: String?
    /// How apps may tint it.
    public var tintMode: TintMode?
    /// Its author, if not the publisher of the pack.
    public var publisher: String?
    /// Its licence, if not that of the pack.
    public var licence: String?
    /// Its source file in the drop, for messages.
    public var source: String
    /// The picture for the platform.
    public var picture: PackPicture
    /// A small still PNG.
    public var thumbnail: PublishedPicture?

    /// Creates a sticker from a manifest.
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

    /// The text for screen readers.
    public var spokenText: String { accessibilityText ?? title }
}

/// A picture of a sticker with the facts known without opening it.
public struct PackPicture: Hashable, Sendable, Codable {
    /// The hash of its bytes.
    public var sha256: ContentHash
    /// Its format.
    public var format: ImageFormat
    /// The width in pixels.
    public var width: Int
    /// The height in pixels.
    public var height: Int
    /// The size in bytes.
    public var bytes: Int
    /// The number of frames, if it moves.
    public var frames: Int?
    /// The playing time, if it moves.
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

    /// Whether it moves: at least two frames, whatever its source.
    public var moves: Bool { frames ?? 1 > 1 }

    /// Its published picture.
    public var published: PublishedPicture { PublishedPicture(sha256: sha256, format: format) }
}

/// A picture of a pack: a still PNG of the cover or the first sticker.
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
