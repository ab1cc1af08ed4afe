/// All settings of an operator; the declarations hold the defaults.
///
/// Each part of the program receives its own struct. `config.json` shows every key.
public struct Configuration: Hashable, Sendable {
    /// Watched folders; relative paths are resolved against the folder of the configuration file.
    public var drops: [DropFolder] = ["drop"]
    /// The folder of finished files and manifests.
    public var out = "out"
    /// The folder of the database.
    public var state = "state"
    /// The folder of small status files for other programs.
    public var run = "run"
    /// The folder of a list of refused pictures, for users who only see folders; `nil` for none.
    public var problemsFolder: String?
    /// The category of files directly in a drop.
    public var defaultCategory = "stickers"
    /// How many pictures are made at once; 0 for the number of cores.
    public var workers = 0
    /// How files are noticed.
    public var watch = WatchConfiguration()
    /// How jobs are retried and kept.
    public var queue = QueueConfiguration()
    /// When files made by an older release are made again.
    public var renew = Renewal.asked
    /// How results are published and cleaned up.
    public var publish = PublishConfiguration()
    /// Limits for input files.
    public var limits = DecodeLimits()
    /// The processes that make stickers.
    public var worker = WorkerConfiguration()
    /// The interpretation of colours that a picture does not define.
    public var color = ColorConfiguration()
    /// How published files are served.
    public var web = WebConfiguration()
    /// The console for operators, in a browser.
    public var console = ConsoleConfiguration()
    /// Stickers that users of an app upload for themselves.
    public var personal = PersonalConfiguration()
    /// The smart stickers that come with stickerd, and the weather.
    public var smart = SmartConfiguration()
    /// The platforms that stickers can be made for, by name: the built-in ones, extended and corrected by the file.
    public var targets = Target.builtIn
    /// The default settings of stickers.
    public var sticker = StickerSettings()
    /// The settings of categories, keyed by id or folder name; each starts from `sticker`.
    public var categories: [String: StickerSettings] = [:]

    /// Creates a configuration with the defaults.
    public init() {}

    /// The settings of a category.
    public func settings(of category: CategoryNames) -> StickerSettings {
        category.entry(in: categories, defaultCategory: defaultCategory) ?? sticker
    }
}

/// The configuration of `stickerd-web`.
public struct WebConfiguration: Hashable, Sendable {
    /// The address and port on which it listens.
    public var listen = WebAddress(host: "127.0.0.1", port: 8512)
    /// The prefix of addresses in answers; empty for `http://` and `listen`.
    public var publicURL = ""
    /// The keys accepted as `api_key`; if there are none, any is.
    public var keys: [String] = []
    /// A file with one key per line, besides `keys`.
    public var keysFile: String?
    /// Whether anyone who can reach the address may use it.
    public var open = false
    /// Reverse proxies whose statements about the client are trusted.
    public var trustedProxies: [AddressRange] = []
    /// The host names that it answers to, besides those in `publicURL` and `listen`.
    public var hosts: [String] = []
    /// The most requests of a client per second; 0 for any number.
    public var rate = 0
    /// The allowed readers of the metrics.
    public var metrics = Audience.local
    /// Categories of external providers that the server queries, ordered by id.
    public var upstreams: [UpstreamConfiguration] = []
    /// The page on which stickers are placed on a picture.
    public var compose = ComposeConfiguration()

    /// The allowed readers.
    public enum Audience: String, Sendable, CaseIterable {
        /// Programs on the same machine.
        case local
        /// Anyone who can reach the address.
        case everyone
    }

    /// The defaults.
    public init() {}
}

/// When a newer release makes improved files again.
public enum Renewal: String, Sendable, CaseIterable {
    /// When an operator runs `stickerctl redo`.
    case asked
    /// Also when there is nothing else to do.
    case idle
}

/// How files are noticed.
public struct WatchConfiguration: Hashable, Sendable {
    /// The source of change reports.
    public enum Backend: String, Sendable, CaseIterable {
        /// Polling on file systems without events, else libinotifytools, else the kernel.
        case auto
        /// libinotifytools.
        case inotifytools
        /// The kernel's inotify.
        case inotify
        /// Periodic listings of the folders.
        case polling
    }

    /// The source of change reports.
    public var backend = Backend.auto
    /// How long a file must stay unchanged before it is read, if the end of writing was not observed.
    public var settleSeconds = 1.0
    /// `settleSeconds` for files found by polling.
    public var settlePollingSeconds = 5.0
    /// How long an incomplete file may stay unchanged before it is judged as it is.
    public var arrivingSecondsMax = 60.0
    /// The time between two listings when polling.
    public var pollSeconds = 10.0
    /// Time between two full scans.
    public var rescanSeconds = 300.0

    /// Creates a configuration with the defaults.
    public init() {}
}

/// How jobs are retried and kept.
public struct QueueConfiguration: Hashable, Sendable {
    /// Pauses between attempts after transient errors.
    public var retrySeconds = [2.0, 8, 30, 120, 600]
    /// How long finished jobs are kept; refused ones stay until resolved.
    public var historyDays = 14

    /// Creates a configuration with the defaults.
    public init() {}
}

/// How results are published and cleaned up.
public struct PublishConfiguration: Hashable, Sendable {
    /// Prefixed to every URL; empty for relative URLs.
    public var publicBaseURL = ""
    /// The platforms whose packs of all categories are also kept together in one folder; some of
    /// `PackPlatform.ofLibrary`.
    public var libraryPacks: [PackPlatform] = []
    /// How long a sticker outlives its source file.
    public var deleteGraceSeconds = 60.0
    /// How long replaced pictures and manifest pages stay on disk.
    public var oldRevisionHours = 24.0
    /// How long the pictures of deleted stickers stay on disk.
    public var trashDays = 30.0
    /// How many stickers one manifest page holds.
    public var pageEntriesMax = 5000
    /// No job starts with less free space on `out` or `state`.
    public var freeSpaceReserveBytes = 256_000_000

    /// Creates a configuration with the defaults.
    public init() {}
}

/// Limits for an input file; all but time are checked before memory is allocated.
public struct DecodeLimits: Hashable, Sendable, Codable {
    /// Bytes of the file.
    public var sourceBytesMax = 64 * 1024 * 1024
    /// Either side of a picture.
    public var sidePixelsMax = 16384
    /// Width times height of one frame.
    public var framePixelsMax = 64_000_000
    /// Frames of an animation.
    public var framesMax = 1000
    /// Width times height times frames.
    public var totalPixelsMax = 512_000_000
    /// Scans of a progressive JPEG.
    public var jpegScansMax = 100
    /// Memory a decoder needs, computed from the header.
    public var decoderBytesMax = 384_000_000
    /// CPU time that one picture may take.
    public var cpuSecondsMax = 60

    /// Creates limits with the defaults.
    public init() {}
}

/// The processes that make stickers.
public struct WorkerConfiguration: Hashable, Sendable {
    /// Address space of all workers together; 0 means half of what the daemon may use.
    public var memoryBytesMax = 0
    /// Whether to work even if the kernel cannot confine a worker.
    public var unsandboxed = false

    /// Creates a configuration with the defaults.
    public init() {}
}

/// The interpretation of colours that a picture does not define.
public struct ColorConfiguration: Hashable, Sendable {
    /// The profile of CMYK pictures without a usable one of their own; without it, their inks are multiplied out.
    public var cmykProfile: CMYKProfileFile?

    /// Creates a configuration with the defaults.
    public init() {}
}

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
        public static let pixelsRange = 0...64

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
