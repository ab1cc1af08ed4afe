import StickerModel

/// What only the running daemon knows, kept in the store for tools to read. Times are milliseconds
/// since 1970.
public struct LiveFigures: Hashable, Sendable, Codable {
    /// The version of the daemon.
    public var version: String
    /// When it started.
    public var startedAt: Int64
    /// Whether everything that lay in the drops at the start is in the books.
    public var isReady = false
    /// Why no job is started, one line; absent while all is well.
    public var paused: String?
    /// When all folders were last listed; absent before the first time.
    public var scannedAt: Int64?
    /// Folders below the drops that are watched.
    public var folders = 0
    /// Files that are left alone because of their names.
    public var ignoredFiles = 0
    /// What works less well than it should, a line each.
    public var troubles: [String] = []
    /// The batch under way; absent while there is none.
    public var batch: Batch?

    /// Many files on their way: from the moment that work piles up until nothing is left to do.
    public struct Batch: Hashable, Sendable, Codable {
        /// When the first of it was noticed.
        public var startedAt: Int64
        /// Jobs that ended well.
        public var done = 0
        /// Jobs that are being worked on.
        public var working = 0
        /// Jobs that wait.
        public var waiting = 0
        /// Jobs that were refused.
        public var needAttention = 0
        /// About how long the rest will take; absent while nothing tells.
        public var secondsLeft: Int?

        /// A batch that begins.
        public init(startedAt: Int64) { self.startedAt = startedAt }

        /// All jobs of it so far.
        public var found: Int { done + working + waiting + needAttention }
    }

    /// The figures of a daemon that starts.
    public init(version: String, startedAt: Int64) {
        self.version = version
        self.startedAt = startedAt
    }
}

extension JobStore {
    /// Keeps the figures; writes only where they changed.
    ///
    /// - Throws: `StoreError`; the figures of before stay.
    public func setLiveFigures(_ figures: LiveFigures) throws(StoreError) {
        try setNote("live", to: figures)
    }

    /// The figures that the daemon kept last; it may have ended since.
    ///
    /// - Throws: `StoreError` where the database cannot be read.
    public func liveFigures() throws(StoreError) -> LiveFigures? {
        try note("live", as: LiveFigures.self)
    }
}

extension LiveFigures.Batch {
    /// Jobs that came to an end.
    public var ended: Int { done + needAttention }

    /// `5,000 found · 3,120 done · 8 working · 1,865 waiting · 7 need attention · about 3 min left`.
    public var shown: String {
        var parts = [
            "\(found.grouped) found", "\(done.grouped) done", "\(working.grouped) working",
            "\(waiting.grouped) waiting",
        ]
        if needAttention > 0 { parts.append(needAttention.needingAttention) }
        if let secondsLeft, secondsLeft > 0 { parts.append("about \(secondsLeft.asTime) left") }
        return parts.joined(separator: " · ")
    }
}
