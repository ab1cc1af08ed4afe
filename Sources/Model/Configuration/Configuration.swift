public import StickerValues

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
    /// The folder of the marks that looks of categories may show; `nil` for none.
    public var marks: MarkFolder?
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

    /// Whether pictures of some category wait for an editor.
    public var hasReviews: Bool { sticker.review || categories.values.contains(where: \.review) }

    /// The settings of a category: its entry, else `sticker`, and over them its own look.
    public func settings(of category: CategoryNames) -> StickerSettings {
        var settings =
            category.entry(in: categories, defaultCategory: defaultCategory) ?? sticker
        guard let look = category.look else { return settings }
        settings.wear(look)
        if look.watermarks != nil { fillIn(&settings.watermarks) }
        return settings
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
    /// How many bytes of the database finished jobs may take.
    public var historyBytesMax = 1_000_000_000

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
