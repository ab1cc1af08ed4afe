public import StickerValues

/// Figures that only the running daemon knows, stored for tools.
public struct LiveFigures: Hashable, Sendable, Codable {
    /// The version of the daemon.
    public var version: String
    /// When it started.
    public var startedAt: Timestamp
    /// Whether all files in the drops at startup have been recorded.
    public var isReady = false
    /// Why no job is started, in one line; absent if jobs start.
    public var paused: String?
    /// When all folders were last listed; absent before the first time.
    public var scannedAt: Timestamp?
    /// Folders below the drops that are watched.
    public var folders = 0
    /// Files ignored because of their names.
    public var ignoredFiles = 0
    /// Degraded functions, one line each.
    public var troubles: [String] = []
    /// Drops whose folder is missing or was replaced; also among the troubles.
    public var awayDrops: [String] = []
    /// Unknown languages in the configuration, one line each; absent if there are none.
    public var unknownLanguages: [String]?
    /// The batch in progress, if any.
    public var batch: Batch?

    /// Many files in progress, from the start of a backlog until nothing is left to do.
    public struct Batch: Hashable, Sendable, Codable {
        /// When its first file was noticed.
        public var startedAt: Timestamp
        /// Jobs that ended well.
        public var done = 0
        /// Jobs that are executing.
        public var working = 0
        /// Jobs that wait.
        public var waiting = 0
        /// Jobs that were refused.
        public var needAttention = 0
        /// Jobs that ended otherwise: their files left or were replaced, or nothing is to be made of them for now.
        public var cancelled: Int?
        /// The finished part of the expected work, 0...1; see `ExpectedWork`.
        public var workDone: Double?
        /// The estimated rest, by expected work; absent while unknown.
        public var secondsLeft: Int?

        /// Creates a batch that begins.
        public init(startedAt: Timestamp) { self.startedAt = startedAt }

        /// All jobs of the batch so far.
        public var found: Int { ended + working + waiting }
    }

    /// Creates the figures of a daemon that starts.
    public init(version: String, startedAt: Timestamp) {
        self.version = version
        self.startedAt = startedAt
    }
}

extension LiveFigures.Batch {
    /// Jobs that have ended.
    public var ended: Int { done + needAttention + (cancelled ?? 0) }

    /// `5,000 found · 3,120 done · 8 working · 1,865 waiting · 7 need attention · about 3 min left`.
    public var shown: String {
        var parts = [
            "\(found.grouped) found", "\(done.grouped) done", "\(working.grouped) working",
            "\(waiting.grouped) waiting",
        ]
        if let cancelled { parts.append("\(cancelled.grouped) cancelled") }
        if needAttention > 0 { parts.append(needAttention.needingAttention) }
        if let secondsLeft, secondsLeft > 0 { parts.append("about \(secondsLeft.asTime) left") }
        return parts.joined(separator: " · ")
    }
}
