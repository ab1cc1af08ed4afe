/// The files made from one picture by one recipe, and what is known about them.
public struct StickerProduct: Hashable, Sendable, Codable {
    /// The recipe of everything together.
    public var recipe: RecipeID
    /// The recipe of the side files; `nil` if it is unknown or from an earlier release.
    public var sideRecipe: RecipeID?
    /// The oldest revision of the code that made any of the files.
    public var revision: Int
    /// Whether the sticker moves.
    public var animated: Bool
    /// How the sticker itself was encoded.
    public var encoding: Encoding
    /// Every file, the sticker itself first.
    public var files: [StickerFile]
    /// The further targets without a file.
    public var shortfalls: [Shortfall]
    /// How the sticker looks; `nil` if a release made it that did not judge that.
    public var appearance: Appearance?

    /// Creates a product; `files` starts with the sticker itself.
    public init(
        recipe: RecipeID, sideRecipe: RecipeID? = nil, revision: Int,
        animated: Bool, encoding: Encoding, files: [StickerFile], shortfalls: [Shortfall] = [],
        appearance: Appearance? = nil
    ) {
        self.recipe = recipe
        self.sideRecipe = sideRecipe
        self.revision = revision
        self.animated = animated
        self.encoding = encoding
        self.files = files
        self.shortfalls = shortfalls
        self.appearance = appearance
    }
}

/// One published file.
public struct StickerFile: Hashable, Sendable, Codable {
    /// What a file is for.
    public enum Role: String, CaseIterable, Sendable, Codable {
        /// The picture as the first target wants it.
        case sticker
        /// The picture as a further target wants it.
        case rendition
        /// The sticker's picture for consumers without WebP.
        case companion
        /// A small still.
        case thumbnail
        /// The first frame of an animation.
        case poster
        /// The 96x96 PNG that represents a pack.
        case tray
        /// The picture in another style; its copy for consumers without WebP has the role, too.
        case variant
    }

    /// What it is for.
    public var role: Role
    /// The target whose rules it follows, for the roles `sticker` and `rendition`.
    public var target: String?
    /// The style of a template that it shows; `nil` if that has only one.
    public var style: String?
    /// Its recipe, for the roles `sticker` and `rendition`; `nil` if it is unknown or from an earlier
    /// release.
    public var recipe: RecipeID?
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
    /// How it was encoded, for the roles `sticker` and `rendition`.
    public var encoding: Encoding?

    /// Creates a published file.
    public init(
        role: Role, target: String? = nil, style: String? = nil, recipe: RecipeID? = nil,
        format: ImageFormat,
        size: PixelSize, bytes: Int, sha256: ContentHash, frames: Int? = nil,
        durationMilliseconds: Int? = nil, encoding: Encoding? = nil
    ) {
        self.role = role
        self.target = target
        self.style = style
        self.recipe = recipe
        self.format = format
        self.size = size
        self.bytes = bytes
        self.sha256 = sha256
        self.frames = frames
        self.durationMilliseconds = durationMilliseconds
        self.encoding = encoding
    }

    /// Its path below `out`: `_/ab/<sha256>.webp`.
    public var path: String {
        "_/\(sha256.rawValue.prefix(2))/\(sha256.rawValue).\(format.fileExtension)"
    }
}

/// How a file was encoded.
public struct Encoding: Hashable, Sendable, Codable {
    /// The kind of compression.
    public enum Mode: String, Sendable, Codable {
        case lossless
        case nearLossless = "near-lossless"
        case lossy
        /// A palette of at most 256 colours, or as many as a GIF or an APNG holds.
        case palette
    }

    /// The kind of compression.
    public var mode: Mode
    /// 0-100; absent for lossless and for a palette.
    public var quality: Double?
    /// How close it looks to the original, 0-100, if known.
    public var score: Double?

    /// Creates an encoding.
    public init(mode: Mode, quality: Double? = nil, score: Double? = nil) {
        self.mode = mode
        self.quality = quality
        self.score = score
    }
}
