/// The files made of one picture by one recipe, and what is known about them.
public struct StickerProduct: Hashable, Sendable, Codable {
    /// The recipe's fingerprint.
    public var recipe: String
    /// Whether the sticker moves.
    public var animated: Bool
    /// How the WebP was encoded.
    public var encoding: Encoding
    /// Every file, the sticker itself first.
    public var files: [StickerFile]

    /// A product; `files` names the WebP of the sticker first.
    public init(recipe: String, animated: Bool, encoding: Encoding, files: [StickerFile]) {
        self.recipe = recipe
        self.animated = animated
        self.encoding = encoding
        self.files = files
    }
}

/// One published file.
public struct StickerFile: Hashable, Sendable, Codable {
    /// What a file is for.
    public enum Role: String, Sendable, Codable {
        /// The picture as the first target wants it.
        case sticker
        /// The picture as a further target wants it.
        case rendition
        /// The picture of the sticker for consumers without WebP.
        case companion
        /// A small still.
        case thumbnail
        /// The first frame of an animation.
        case poster
        /// The 96x96 PNG that stands for a pack.
        case tray
    }

    /// What it is for.
    public var role: Role
    /// Its format.
    public var format: ImageFormat
    /// Pixels.
    public var size: PixelSize
    /// Bytes.
    public var bytes: Int
    /// The hash of its content, which is its name in `out/_`.
    public var sha256: ContentHash
    /// Frames, for files that move.
    public var frames: Int?
    /// Playing time, for files that move.
    public var durationMilliseconds: Int?

    /// A published file.
    public init(
        role: Role, format: ImageFormat, size: PixelSize, bytes: Int, sha256: ContentHash,
        frames: Int? = nil, durationMilliseconds: Int? = nil
    ) {
        self.role = role
        self.format = format
        self.size = size
        self.bytes = bytes
        self.sha256 = sha256
        self.frames = frames
        self.durationMilliseconds = durationMilliseconds
    }

    /// Its path below `out`: `_/ab/<sha256>.webp`.
    public var path: String {
        "_/\(sha256.rawValue.prefix(2))/\(sha256.rawValue).\(format.fileExtension)"
    }
}

/// How the WebP of a sticker was encoded.
public struct Encoding: Hashable, Sendable, Codable {
    /// The kind of compression.
    public enum Mode: String, Sendable, Codable {
        case lossless
        case nearLossless = "near-lossless"
        case lossy
        /// A palette that stands for the colours, as in GIF.
        case palette
    }

    /// The kind of compression.
    public var mode: Mode
    /// 0-100; absent for lossless and for a palette.
    public var quality: Double?
    /// How close it looks to the original, 0-100, where known.
    public var score: Double?

    /// An encoding.
    public init(mode: Mode, quality: Double? = nil, score: Double? = nil) {
        self.mode = mode
        self.quality = quality
        self.score = score
    }
}
