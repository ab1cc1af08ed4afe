/// The finished files of one sticker, in memory.
public struct MadeSticker: Sendable, Hashable, Codable {
    /// Whether the sticker moves; false if the recipe does not make it.
    public var animated: Bool
    /// Every file; if the recipe makes the sticker, the file of the first target comes first.
    public var files: [MadeFile]
    /// The further targets without a file.
    public var shortfalls: [Shortfall] = []
    /// The appearance on the canvas of the first target; `nil` if the recipe does not make the sticker.
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
    /// Its purpose.
    public var role: StickerFile.Role
    /// The target whose rules it follows, for the roles `sticker` and `rendition`.
    public var target: String?
    /// Its style of a template. The encoded form omits it: workers do not know styles.
    public var style: String?
    /// Its format.
    public var format: ImageFormat
    /// Its size in pixels.
    public var size: PixelSize
    /// The whole file. The encoded form omits it: the bytes are sent separately.
    public var bytes: [UInt8] = []
    /// The number of frames, for animations.
    public var frames: Int?
    /// The playing time, for animations.
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
