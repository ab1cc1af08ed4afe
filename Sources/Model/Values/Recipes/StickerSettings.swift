/// How a sticker is made.
public struct StickerSettings: Hashable, Sendable, Codable {
    /// The filter used for resizing.
    public enum Resample: String, Sendable, Codable, CaseIterable {
        /// Hard edges for pixel art, enlarged by a whole factor if one fits; else smooth.
        case auto
        /// Smooth: for drawings and photos.
        case lanczos3
        /// Hard edges, whatever the factor.
        case nearest
    }

    /// A small still picture made along with the sticker.
    public struct Thumbnail: Hashable, Sendable, Codable {
        /// Both sides in pixels.
        public var pixels: Int
        /// Its format, PNG or WebP.
        public var format: ImageFormat

        /// Creates a square thumbnail of `pixels`.
        public init(pixels: Int, format: ImageFormat) {
            self.pixels = pixels
            self.format = format
        }
    }

    /// A colour for the art of a still.
    public struct Tint: Hashable, Sendable, Codable {
        /// Its effect: the shape of the art in the colour, its brightness in the colour, or none.
        public var mode = TintMode.none
        /// `#RRGGBB`.
        public var color = "#000000"

        /// Creates a tint without effect.
        public init() {}
    }

    /// The locale of smart stickers.
    public struct Smart: Hashable, Sendable, Codable {
        /// The unit of temperatures.
        public enum Unit: String, Sendable, Codable, CaseIterable {
            /// The unit of the region of `locale`.
            case auto
            case celsius, fahrenheit
        }

        /// The language, optionally with a region: `de`, `en_GB`.
        public var locale = "en"
        /// The name of a time zone, `Europe/Berlin`; empty for that of the system.
        public var timeZone = ""
        /// The unit of temperatures.
        public var unit = Unit.auto

        /// Creates settings with the defaults.
        public init() {}
    }

    /// The appearance of a category in TUIKit, as a group.
    public struct FaceGroup: Hashable, Sendable, Codable {
        /// Rows of stickers on a page.
        public var rows = 2
        /// Stickers in a row.
        public var columns = 5
        /// Its place among the groups: lower ones first; of equal ones, the one that got its number first.
        public var order = 0

        /// Creates a group with the defaults.
        public init() {}
    }

    /// A border of one colour around the art's own shape. The art shrinks to make room for it.
    public struct Outline: Hashable, Sendable, Codable {
        /// Its width on a canvas whose longer side is 512 pixels; in proportion on others, but at least 1. 0 for none.
        public var pixels = 0
        /// `#RRGGBB`.
        public var color = "#FFFFFF"

        /// The widths that can be set.
        public static let pixelsRange = CategoryLook.outlineRange

        /// Creates no outline.
        public init() {}
    }

    /// The targets of a sticker, by name; the first one decides whether it is published.
    public var targets = [Target.whatsApp]
    /// The platforms whose packs are kept up to date; their files are made besides those of `targets`.
    public var packs: [PackPlatform] = []
    /// Bytes of a still sticker, for WhatsApp.
    public var stillBytesMax = 100_000
    /// Bytes of a moving sticker, for WhatsApp.
    public var animatedBytesMax = 500_000
    /// Bytes of the tray icon.
    public var trayBytesMax = 50_000
    /// Transparent pixels on every side of the canvas.
    public var marginPixels = 0
    /// Whether transparent borders of the source are cropped before scaling.
    public var trim = false
    /// The filter used for resizing.
    public var resample = Resample.auto
    /// The tint of stills.
    public var tint = Tint()
    /// The border around the art.
    public var outline = Outline()
    /// The watermarks; later ones are on top.
    public var watermarks: [Watermark] = []
    /// The lowest WebP quality to publish.
    public var qualityMin = 20
    /// The goal of the encoder.
    public var goal = EncodingGoal.best
    /// The score, 0-100, to reach with the goal `smallest`.
    public var scoreTarget = 90.0
    /// The lowest score, 0-100, to publish; 0 publishes everything.
    public var scoreMin = 0.0
    /// The rule for an animation that plays for more than 10 s.
    public var tooLong = TooLong.faster
    /// Still pictures made along with the sticker; a PNG of 144 pixels is always among them.
    public var thumbnails = [
        Thumbnail(pixels: 144, format: .png), Thumbnail(pixels: 96, format: .webp),
    ]
    /// Whether to make a PNG (still) or GIF (moving) for consumers without WebP.
    public var companions = true
    /// The colour behind the soft edges of GIF companions, as GIF has no partial transparency.
    public var matte = "#FFFFFF"
    /// Whether a new picture is published only once an editor says so.
    public var review = false
    /// The default emoji of stickers.
    public var emojis: [String] = []
    /// The words of categories without words of their own. They have neither a title nor words for single platforms.
    public var words = CategoryWords()
    /// Its appearance in TUIKit.
    public var tuikit = FaceGroup()
    /// The locale of smart stickers. In the file it is `smart`, beside `sticker`.
    public var smart = Smart()

    /// Creates settings with the defaults.
    public init() {}
}

extension StickerSettings {
    /// Takes over everything that a look says. Its marks name pictures but do not have them.
    package mutating func wear(_ look: CategoryLook) {
        outline.pixels = look.outlinePixels ?? outline.pixels
        outline.color = look.outlineColor ?? outline.color
        tint.mode = look.tintMode ?? tint.mode
        tint.color = look.tintColor ?? tint.color
        marginPixels = look.marginPixels ?? marginPixels
        trim = look.trim ?? trim
        watermarks = look.watermarks ?? watermarks
    }
}
