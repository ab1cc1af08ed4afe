/// The watcher's figures, for the status.
public struct WatchStatus: Hashable, Sendable {
    /// The source of events: `inotify`, `inotifytools` or `polling`.
    public var backend = ""
    /// Folders known below the drops, the drops included.
    public var folders = 0
    /// Folders that are polled because the kernel grants no more watches.
    public var foldersDegraded = 0
    /// Folders that could not be read at the last attempt.
    public var foldersUnreadable = 0
    /// One of them, escaped; `nil` if there is none.
    public var unreadableExample: String?
    /// Folders with subfolders that are skipped because their path is too long to open.
    public var foldersTooDeep = 0
    /// Times the kernel's queue overflowed since the start; each led to a full scan.
    public var overflows = 0
    /// Files skipped because of their names; exact after each scan.
    public var ignoredFiles = 0
    /// Files not examined until they are no longer written: their bytes may be those of pictures.
    public var unknownFiles = 0
    /// Drop folders that are missing now.
    public var lostDrops: [String] = []
    /// Full scans finished since the start.
    public var scans = 0
    /// When the last full scan ended, in seconds since 1970; 0 before the first.
    public var lastScanAt = 0.0

    /// Creates the figures before the start.
    public init() {}

    /// Whether there are folders that cannot be read, so that their contents are unknown.
    public var isBlind: Bool { foldersUnreadable > 0 || !lostDrops.isEmpty }
}
