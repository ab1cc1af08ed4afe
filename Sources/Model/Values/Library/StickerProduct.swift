/// The files made from one picture by one recipe, with their facts.
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
    /// Its appearance; `nil` if an older release made it.
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
    /// The purpose of a file.
    public enum Role: String, CaseIterable, Sendable, Codable {
        /// The picture for the first target.
        case sticker
        /// The picture for a further target.
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

    /// Its purpose.
    public var role: Role
    /// The target whose rules it follows, for the roles `sticker` and `rendition`.
    public var target: String?
    /// Its style of a template; `nil` if that has only one.
    public var style: String?
    /// Its recipe, for the roles `sticker` and `rendition`; `nil` if it is unknown or from an earlier release.
    public var recipe: RecipeID?
    /// Its format.
    public var format: ImageFormat
    /// Its size in pixels.
    public var size: PixelSize
    /// Its size in bytes.
    public var bytes: Int
    /// The hash of its content, which is its name in `out/_`.
    public var sha256: ContentHash
    /// The number of frames, for animations.
    public var frames: Int?
    /// The playing time, for animations.
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
    /// Its visual closeness to the original, 0-100, if known.
    public var score: Double?

    /// Creates an encoding.
    public init(mode: Mode, quality: Double? = nil, score: Double? = nil) {
        self.mode = mode
        self.quality = quality
        self.score = score
    }
}
