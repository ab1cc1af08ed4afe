/// Everything an operator can set; the declarations hold the defaults.
///
/// Each part of the program receives its own struct. `config.json` shows every key.
public struct Configuration: Hashable, Sendable {
    /// Watched folders; relative paths are resolved against the folder of the configuration file.
    public var drops: [DropFolder] = ["drop"]
    /// Where finished files and manifests go.
    public var out = "out"
    /// Where the database is.
    public var state = "state"
    /// Where small facts for other programs lie, rewritten whole.
    public var run = "run"
    /// Where a list of refused pictures lies, for people who see folders and nothing else; `nil` for none.
    public var problemsFolder: String?
    /// The category of files that lie directly in a drop.
    public var defaultCategory = "stickers"
    /// How many pictures are worked on at once; 0 means the number of cores.
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
    /// How colours are read if a picture does not define them.
    public var color = ColorConfiguration()
    /// How what is published is served.
    public var web = WebConfiguration()
    /// How operators see it in a browser.
    public var console = ConsoleConfiguration()
    /// Stickers that users of an app upload for themselves.
    public var personal = PersonalConfiguration()
    /// The smart stickers that come with stickerd, and the weather.
    public var smart = SmartConfiguration()
    /// The platforms that stickers can be made for, by name: the built-in ones, plus what the file adds to
    /// or corrects in them.
    public var targets = Target.builtIn
    /// How a sticker is made, unless its category says otherwise.
    public var sticker = StickerSettings()
    /// What differs by category, keyed by id or folder name; each starts from `sticker`.
    public var categories: [String: StickerSettings] = [:]

    /// Creates a configuration with the defaults.
    public init() {}

    /// The settings of a category.
    public func settings(of category: CategoryNames) -> StickerSettings {
        category.entry(in: categories, defaultCategory: defaultCategory) ?? sticker
    }
}

/// How `stickerd-web` serves what is published.
public struct WebConfiguration: Hashable, Sendable {
    /// The address and port on which it listens.
    public var listen = WebAddress(host: "127.0.0.1", port: 8512)
    /// What the addresses in answers begin with; empty for `http://` and `listen`.
    public var publicURL = ""
    /// The keys that are taken as `api_key`; if there are none, any is.
    public var keys: [String] = []
    /// A file with one key on each line, besides `keys`.
    public var keysFile: String?
    /// Whether everybody may ask who reaches the address.
    public var open = false
    /// Servers before this one that say for whom they ask.
    public var trustedProxies: [AddressRange] = []
    /// Names to which it answers besides those in `publicURL` and `listen`.
    public var hosts: [String] = []
    /// Requests that a client may make in a second; 0 for any number.
    public var rate = 0
    /// Who may read the metrics.
    public var metrics = Audience.local
    /// Categories of others, whom the server asks for their stickers, ordered by id.
    public var upstreams: [UpstreamConfiguration] = []
    /// The page on which stickers are placed on a picture.
    public var compose = ComposeConfiguration()

    /// Those who may read something.
    public enum Audience: String, Sendable, CaseIterable {
        /// Programs on the same machine.
        case local
        /// Whoever reaches the address.
        case everyone
    }

    /// The defaults.
    public init() {}
}

/// When files are made again because a newer release makes better ones.
public enum Renewal: String, Sendable, CaseIterable {
    /// When an operator runs `stickerctl redo`.
    case asked
    /// Also when there is nothing else to do.
    case idle
}

/// How files are noticed.
public struct WatchConfiguration: Hashable, Sendable {
    /// What reports changes.
    public enum Backend: String, Sendable, CaseIterable {
        /// Polling on file systems without events, else libinotifytools, else the kernel.
        case auto
        /// libinotifytools.
        case inotifytools
        /// The kernel's inotify.
        case inotify
        /// Looking at the folders periodically.
        case polling
    }

    /// What reports changes.
    public var backend = Backend.auto
    /// How long a file must stay unchanged before it is read, if the end of writing was not observed.
    public var settleSeconds = 1.0
    /// `settleSeconds` for files found by polling.
    public var settlePollingSeconds = 5.0
    /// How long an incomplete file may stay unchanged before it is judged as it is.
    public var arrivingSecondsMax = 60.0
    /// Time between two looks when changes are found by polling.
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
    /// The platforms whose packs are kept for all categories in one folder, too; some of `PackPlatform.ofLibrary`.
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

/// Limits for an input file; everything but time is checked before anything is allocated.
public struct DecodeLimits: Hashable, Sendable, Codable {
    /// Size of the file.
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

/// How colours are read if a picture does not define them.
public struct ColorConfiguration: Hashable, Sendable {
    /// The profile of CMYK pictures without a usable one of their own; `nil` multiplies their inks out.
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

    /// A colour that the art of a still is given.
    public struct Tint: Hashable, Sendable, Codable {
        /// What becomes of the art: its shape in the colour, or its brightness in that; or it stays as it is.
        public var mode = TintMode.none
        /// `#RRGGBB`.
        public var color = "#000000"

        /// Creates the tint that changes nothing.
        public init() {}
    }

    /// Where smart stickers are read.
    public struct Smart: Hashable, Sendable, Codable {
        /// The unit of temperatures.
        public enum Unit: String, Sendable, Codable, CaseIterable {
            /// That of the region of `locale`.
            case auto
            case celsius, fahrenheit
        }

        /// The language, with a region or without: `de`, `en_GB`.
        public var locale = "en"
        /// The name of a time zone, `Europe/Berlin`; empty for that of the system.
        public var timeZone = ""
        /// The unit of temperatures.
        public var unit = Unit.auto

        /// Creates settings with the defaults.
        public init() {}
    }

    /// How TUIKit shows a category, which is a group there.
    public struct FaceGroup: Hashable, Sendable, Codable {
        /// Rows of stickers on a page.
        public var rows = 2
        /// Stickers in a row.
        public var columns = 5
        /// Its place among the groups: lower ones come first, and of equal ones that which has a number for longer.
        public var order = 0

        /// Creates a group with the defaults.
        public init() {}
    }

    /// A border of one colour around the art's own shape. The art shrinks to make room for it.
    public struct Outline: Hashable, Sendable, Codable {
        /// Its width, on a canvas whose longer side is 512 pixels; in proportion on others, but at least
        /// 1. 0 for none.
        public var pixels = 0
        /// `#RRGGBB`.
        public var color = "#FFFFFF"

        /// The widths that can be set.
        public static let pixelsRange = 0...64

        /// Creates no outline.
        public init() {}
    }

    /// What a sticker is made for, by name; the first one decides whether it is published.
    public var targets = [Target.whatsApp]
    /// The platforms for which packs are kept up to date; what they need is made besides `targets`.
    public var packs: [PackPlatform] = []
    /// Bytes of a still sticker, for WhatsApp.
    public var stillBytesMax = 100_000
    /// Bytes of a moving sticker, for WhatsApp.
    public var animatedBytesMax = 500_000
    /// Bytes of the tray icon.
    public var trayBytesMax = 50_000
    /// Transparent pixels kept free on every side of the canvas.
    public var marginPixels = 0
    /// Whether transparent borders of the source are cut off before it is scaled.
    public var trim = false
    /// The filter used for resizing.
    public var resample = Resample.auto
    /// The colour that the art of stills is given.
    public var tint = Tint()
    /// The border around the art.
    public var outline = Outline()
    /// What is drawn over the sticker; later ones are on top.
    public var watermarks: [Watermark] = []
    /// The lowest WebP quality that is published.
    public var qualityMin = 20
    /// What the encoder aims for.
    public var goal = EncodingGoal.best
    /// The score, 0-100, to reach if the goal is `smallest`.
    public var scoreTarget = 90.0
    /// The lowest score, 0-100, that is published; 0 publishes everything.
    public var scoreMin = 0.0
    /// What happens to an animation that plays for more than 10 s.
    public var tooLong = TooLong.faster
    /// Still pictures made along with the sticker; a PNG of 144 pixels is always among them.
    public var thumbnails = [
        Thumbnail(pixels: 144, format: .png), Thumbnail(pixels: 96, format: .webp),
    ]
    /// Whether to make a PNG (still) or GIF (moving) for consumers without WebP.
    public var companions = true
    /// The colour behind the soft edges of GIF companions, as GIF has no partial transparency.
    public var matte = "#FFFFFF"
    /// The emoji of stickers whose file name has none.
    public var emojis: [String] = []
    /// What categories say that have no such words of their own. They have neither a title nor words for single
    /// platforms.
    public var words = CategoryWords()
    /// How TUIKit shows it.
    public var tuikit = FaceGroup()
    /// How smart stickers tell the time. In the file it is `smart`, beside `sticker`.
    public var smart = Smart()

    /// Creates settings with the defaults.
    public init() {}
}
