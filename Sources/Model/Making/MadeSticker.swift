/// The finished files of one sticker, in memory.
public struct MadeSticker: Sendable, Hashable, Codable {
    /// Whether the sticker moves; false if the recipe does not make it.
    public var animated: Bool
    /// Every file; if the recipe makes the sticker, the file of the first target comes first.
    public var files: [MadeFile]
    /// The further targets that the sticker was not made for.
    public var shortfalls: [Shortfall] = []
    /// How the canvas of the first target looks; `nil` if the recipe does not make the sticker.
    public var appearance: Appearance?

    /// Creates a sticker; the file of the first target comes first in `files`.
    public init(
        animated: Bool, files: [MadeFile], shortfalls: [Shortfall] = [],
        appearance: Appearance? = nil
    ) {
        self.animated = animated
        self.files = files
        self.shortfalls = shortfalls
        self.appearance = appearance
    }
}

/// One finished file in memory.
public struct MadeFile: Sendable, Hashable {
    /// What it is for.
    public var role: StickerFile.Role
    /// The target whose rules it follows, for the roles `sticker` and `rendition`.
    public var target: String?
    /// The style of a template that it shows. The encoded form omits it: workers know nothing of styles.
    public var style: String?
    /// Its format.
    public var format: ImageFormat
    /// Pixels.
    public var size: PixelSize
    /// The whole file. The encoded form omits it: the bytes are sent separately.
    public var bytes: [UInt8] = []
    /// Frames, for files that move.
    public var frames: Int?
    /// Playing time, for files that move.
    public var durationMilliseconds: Int?
    /// How it was encoded, for the roles `sticker` and `rendition`.
    public var encoding: Encoding?

    /// Creates a finished file.
    public init(
        role: StickerFile.Role, target: String? = nil, format: ImageFormat, size: PixelSize,
        bytes: [UInt8], frames: Int? = nil, durationMilliseconds: Int? = nil,
        encoding: Encoding? = nil
    ) {
        self.role = role
        self.target = target
        self.encoding = encoding
        self.format = format
        self.size = size
        self.bytes = bytes
        self.frames = frames
        self.durationMilliseconds = durationMilliseconds
    }
}

extension MadeFile: Codable {
    private enum CodingKeys: String, CodingKey {
        case role, target, format, size, frames, durationMilliseconds, encoding
    }
}
