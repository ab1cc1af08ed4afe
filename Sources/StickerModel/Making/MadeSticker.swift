/// The finished files of one sticker, in memory.
public struct MadeSticker: Sendable, Hashable, Codable {
    /// Whether it moves.
    public var animated: Bool
    /// How the WebP was encoded.
    public var encoding: Encoding
    /// Every file, the WebP of the sticker first.
    public var files: [MadeFile]

    /// A sticker; `files` holds its WebP first.
    public init(animated: Bool, encoding: Encoding, files: [MadeFile]) {
        self.animated = animated
        self.encoding = encoding
        self.files = files
    }
}

/// One finished file in memory.
public struct MadeFile: Sendable, Hashable {
    /// What it is for.
    public var role: StickerFile.Role
    /// Its format.
    public var format: ImageFormat
    /// Pixels.
    public var size: PixelSize
    /// The whole file. The coded form leaves it out: bytes travel beside it.
    public var bytes: [UInt8] = []
    /// Frames, for files that move.
    public var frames: Int?
    /// Playing time, for files that move.
    public var durationMilliseconds: Int?

    /// A finished file.
    public init(
        role: StickerFile.Role, format: ImageFormat, size: PixelSize, bytes: [UInt8],
        frames: Int? = nil, durationMilliseconds: Int? = nil
    ) {
        self.role = role
        self.format = format
        self.size = size
        self.bytes = bytes
        self.frames = frames
        self.durationMilliseconds = durationMilliseconds
    }
}

extension MadeFile: Codable {
    private enum CodingKeys: String, CodingKey {
        case role, format, size, frames, durationMilliseconds
    }
}
