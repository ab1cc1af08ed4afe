/// Everything an operator can set; the defaults stand in the declarations.
///
/// Each part of the program receives its own struct. `config.json` shows every key.
public struct Configuration: Hashable, Sendable {
    /// Watched folders; relative paths are resolved against the folder of the file.
    public var drops = ["drop"]
    /// Where finished files and manifests go.
    public var out = "out"
    /// Where the database lies.
    public var state = "state"
    /// The category of files that lie directly in a drop.
    public var defaultCategory = "stickers"
    /// Pictures worked on at once; 0 means the number of cores.
    public var workers = 0
    /// How files are noticed.
    public var watch = WatchConfiguration()
    /// How jobs are retried and kept.
    public var queue = QueueConfiguration()
    /// When what an older release made is made again.
    public var renew = Renewal.asked
    /// How results are published and cleaned up.
    public var publish = PublishConfiguration()
    /// What a file may be at most.
    public var limits = DecodeLimits()
    /// The processes that make stickers.
    public var worker = WorkerConfiguration()
    /// The platforms that stickers can be made for, by name: those that stickerd knows, as the file
    /// adds to and corrects them.
    public var targets = Target.builtIn
    /// How a sticker is made, unless its category says otherwise.
    public var sticker = StickerSettings()
    /// Differences by category, named by folder; each starts from `sticker`.
    public var categories: [String: StickerSettings] = [:]

    /// The defaults.
    public init() {}

    /// The settings of the category whose folder has this name; `nil` means the default category.
    public func settings(forCategoryFolder folder: [UInt8]?) -> StickerSettings {
        categories[folder.map(FileName.display) ?? defaultCategory] ?? sticker
    }
}

/// When files are made again because a newer release makes better ones.
public enum Renewal: String, Sendable, CaseIterable {
    /// When `stickerctl redo` says so.
    case asked
    /// Also when nothing else is to be done.
    case idle
}

/// How files are noticed.
public struct WatchConfiguration: Hashable, Sendable {
    /// Who tells about changes.
    public enum Backend: String, Sendable, CaseIterable {
        /// Polling on file systems without events, else libinotifytools, else the kernel.
        case auto
        /// libinotifytools.
        case inotifytools
        /// The kernel's inotify.
        case inotify
        /// Looking again and again.
        case polling
    }

    /// Who tells about changes.
    public var backend = Backend.auto
    /// How long a file must stay unchanged before it is read, where its end was not seen.
    public var settleSeconds = 1.0
    /// The same where changes are found by polling.
    public var settlePollingSeconds = 5.0
    /// How long an incomplete file may stay unchanged before it is judged as it is.
    public var arrivingSecondsMax = 60.0
    /// Time between two looks where changes are found by polling.
    public var pollSeconds = 10.0
    /// Time between two full scans.
    public var rescanSeconds = 300.0

    /// The defaults.
    public init() {}
}

/// How jobs are retried and kept.
public struct QueueConfiguration: Hashable, Sendable {
    /// Pauses between attempts after transient errors.
    public var retrySeconds = [2.0, 8, 30, 120, 600]
    /// How long finished jobs are kept; refused ones stay until resolved.
    public var historyDays = 14

    /// The defaults.
    public init() {}
}

/// How results are published and cleaned up.
public struct PublishConfiguration: Hashable, Sendable {
    /// Put before every URL; empty for relative URLs.
    public var publicBaseURL = ""
    /// How long a sticker outlives its file.
    public var deleteGraceSeconds = 60.0
    /// How long replaced pictures and manifest pages stay on disk.
    public var oldRevisionHours = 24.0
    /// How long the pictures of deleted stickers stay on disk.
    public var trashDays = 30.0
    /// As many stickers as one manifest page holds.
    public var pageEntriesMax = 5000
    /// No job starts with less free space on `out` or `state`.
    public var freeSpaceReserveBytes = 256_000_000

    /// The defaults.
    public init() {}
}

/// What a file may be at most; checked before anything is allocated, but for the time.
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
    /// Time by the clock that one picture may take.
    public var wallSecondsMax = 120

    /// The defaults.
    public init() {}
}

/// The processes that make stickers.
public struct WorkerConfiguration: Hashable, Sendable {
    /// Address space of all workers together; 0 means half of what the daemon may use.
    public var memoryBytesMax = 0
    /// Whether to work also where the kernel cannot confine a worker.
    public var unsandboxed = false

    /// The defaults.
    public init() {}
}

/// How a sticker is made.
public struct StickerSettings: Hashable, Sendable, Codable {
    /// The filter that changes the size.
    public enum Resample: String, Sendable, Codable, CaseIterable {
        /// Smooth: for drawings and photos.
        case lanczos3
        /// Hard edges: for pixel art.
        case nearest
    }

    /// A small still made beside the sticker.
    public struct Thumbnail: Hashable, Sendable, Codable {
        /// Both sides in pixels.
        public var pixels: Int
        /// Its format, PNG or WebP.
        public var format: ImageFormat

        /// A square of `pixels`.
        public init(pixels: Int, format: ImageFormat) {
            self.pixels = pixels
            self.format = format
        }
    }

    /// What a sticker is made for, by name; the first decides whether it is published.
    public var targets = [Target.whatsApp]
    /// Bytes of a sticker that stands still, for WhatsApp.
    public var stillBytesMax = 100_000
    /// Bytes of a sticker that moves, for WhatsApp.
    public var animatedBytesMax = 500_000
    /// Bytes of the tray icon.
    public var trayBytesMax = 50_000
    /// Transparent pixels kept free on every side of the canvas.
    public var marginPixels = 0
    /// The filter that changes the size.
    public var resample = Resample.lanczos3
    /// The lowest WebP quality that is published.
    public var qualityMin = 20
    /// What the encoding is for.
    public var goal = EncodingGoal.best
    /// The score, 0-100, that the goal `smallest` keeps to.
    public var scoreTarget = 90.0
    /// The lowest score, 0-100, that is published; 0 publishes all.
    public var scoreMin = 0.0
    /// What becomes of an animation that plays for more than 10 s.
    public var tooLong = TooLong.faster
    /// Stills made beside the sticker; a PNG of 144 pixels is always among them.
    public var thumbnails = [
        Thumbnail(pixels: 144, format: .png), Thumbnail(pixels: 96, format: .webp),
    ]
    /// Whether a PNG (still) or GIF (moving) is made for consumers without WebP.
    public var companions = true
    /// What shines through soft edges of GIF companions, which know no half transparency.
    public var matte = "#FFFFFF"
    /// Emoji of stickers whose file name has none.
    public var emojis: [String] = []

    /// The defaults.
    public init() {}
}
