/// A claimed job: what a worker needs to know to do it.
public struct ClaimedJob: Hashable, Sendable {
    /// Its number.
    public var id: JobID
    /// The file.
    public var source: SourceKey
    /// The state of the file that the job is about.
    public var version: FileVersion
    /// How the file came into view.
    public var origin: Sighting.Origin
    /// This attempt, counted from 1.
    public var attempt: Int
    /// Whether it belongs on a lane for large jobs: it took long before, or a worker or the daemon
    /// failed with it.
    public var isLarge: Bool
    /// How many workers failed with these bytes before: 0 or 1.
    public var workerFailures: Int
    /// Milliseconds between the first sighting of this version and the claim.
    public var ageMilliseconds: Int64
    /// The category it belongs to.
    public var category: CategoryID
    /// The category's folder name; settings are looked up by it. `nil` for files in the drop itself.
    public var categoryFolder: [UInt8]?
    /// The sticker the file becomes; `nil` for a category's cover.
    public var sticker: StickerID?
    /// Whether it is one of many, so that nobody waits for this one.
    public var isBulk = false
    /// Whether everything is to be made again, whatever exists.
    public var isRenewal = false

    /// A claimed job; see the properties.
    public init(
        id: JobID, source: SourceKey, version: FileVersion, origin: Sighting.Origin, attempt: Int,
        ageMilliseconds: Int64, category: CategoryID, categoryFolder: [UInt8]?, sticker: StickerID?,
        isLarge: Bool = false, workerFailures: Int = 0
    ) {
        self.id = id
        self.source = source
        self.version = version
        self.origin = origin
        self.attempt = attempt
        self.isLarge = isLarge
        self.workerFailures = workerFailures
        self.ageMilliseconds = ageMilliseconds
        self.category = category
        self.categoryFolder = categoryFolder
        self.sticker = sticker
    }
}

/// How one attempt at a job ended; whether there will be another is decided here and nowhere else.
public enum JobOutcome: Hashable, Sendable {
    /// Finished files for these bytes: publish them once they lie in place.
    case made(StickerProduct, content: ContentHash)
    /// The bytes are those that are published already.
    case unchanged(content: ContentHash)
    /// The file is not whole yet; look again.
    case arriving(delay: Duration, why: String)
    /// The file was written while it was read: take this newer state.
    case changed(FileVersion)
    /// The file is bad.
    case refused(Refusal, content: ContentHash?)
    /// A transient error.
    case failed(String)
    /// A transient error of reading the file; after too many it counts as unreadable.
    case unread(String)
    /// The worker that made the sticker crashed, hung or took too much. Tried once more, alone among
    /// large jobs; then refused.
    case workerFailed(Refusal, content: ContentHash?)
    /// It takes long and holds the lane that is kept free for small files: it waits for another lane.
    case yielded
    /// Nothing is wrong with the file, the system lacks something (space, descriptors).
    case released(String)
    /// Nothing to do any more.
    case cancelled(CancelReason)
}

/// One finished attempt with its log.
public struct FinishedJob: Hashable, Sendable {
    /// The job.
    public var job: ClaimedJob
    /// How it ended.
    public var outcome: JobOutcome
    /// What was done.
    public var log: StepLog
    /// Oddities that did not stop it.
    public var warnings: [Warning]

    /// The end of one attempt.
    public init(job: ClaimedJob, outcome: JobOutcome, log: StepLog, warnings: [Warning] = []) {
        self.job = job
        self.outcome = outcome
        self.log = log
        self.warnings = warnings
    }
}
