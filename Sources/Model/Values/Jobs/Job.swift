/// A claimed job, with everything that a worker needs.
public struct ClaimedJob: Hashable, Sendable {
    /// Its number.
    public var id: JobID
    /// The file.
    public var source: SourceKey
    /// The state of the file that the job is about.
    public var version: FileVersion
    /// How the file was noticed.
    public var origin: Sighting.Origin
    /// This attempt, counted from 1.
    public var attempt: Int
    /// Whether it belongs on a lane for large jobs: it was slow before, failed in a worker, or was running when the
    /// daemon died.
    public var isLarge: Bool
    /// How many workers failed on these bytes before: 0 or 1.
    public var workerFailures: Int
    /// Milliseconds between the first sighting of this version and the claim.
    public var ageMilliseconds: Int64
    /// The category of the file.
    public var category: CategoryID
    /// The names by which its settings are looked up.
    public var categoryNames: CategoryNames
    /// The sticker of the file; `nil` for a category's cover.
    public var sticker: StickerID?
    /// The number of the user who owns the file; negative if unknown.
    public var owner: Int64 = -1
    /// Whether it is a side file, which has a lane of its own.
    public var isWords = false
    /// Whether it is one of many files copied together, and so not urgent.
    public var isBulk = false
    /// Whether it is large because no header predicts its duration.
    public var isDrawn = false
    /// Whether a worker failed with it, so that it runs only while nothing else waits.
    public var isAgain = false
    /// Whether to make everything again, even if it exists.
    public var renewal = Renewal.none

    /// Why everything is made again; raw values are stored.
    public enum Renewal: Int, Sendable {
        /// It is not: existing files are used.
        case none
        /// An operator named the file.
        case requested
        /// An older release made it, or a limit changed. An animated PNG keeps its kind of sticker, still or animated.
        case automatic
    }

    /// Creates a claimed job; see the properties.
    public init(
        id: JobID, source: SourceKey, version: FileVersion, origin: Sighting.Origin, attempt: Int,
        ageMilliseconds: Int64, category: CategoryID, categoryNames: CategoryNames? = nil,
        sticker: StickerID?,
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
        self.categoryNames =
            categoryNames
            ?? CategoryNames(identifier: category, folder: source.categoryFolder)
        self.sticker = sticker
    }
}

/// How one attempt at a job ended; this alone decides whether there will be another.
public enum JobOutcome: Hashable, Sendable {
    /// Finished files for these bytes: publish them once they are in place.
    case made(StickerProduct, content: ContentHash)
    /// The bytes are the ones already published.
    case unchanged(content: ContentHash)
    /// The words of a side file are noted, except for its faults. The manifests of `changed` are out of date.
    case said(changed: Set<CategoryID>, faults: SideFileError? = nil, content: ContentHash)
    /// The file is not complete yet; look again.
    case arriving(delay: Duration, why: String)
    /// The file was written to while it was read: use this newer state.
    case changed(FileVersion)
    /// The file is bad.
    case refused(Refusal, content: ContentHash?)
    /// A transient error.
    case failed(String)
    /// A transient error while reading the file; after too many, the file counts as unreadable.
    case unread(String)
    /// The worker crashed, hung or exceeded a limit. The job gets one more attempt, when nothing else waits; then the
    /// file is refused.
    case workerFailed(Refusal, content: ContentHash?)
    /// It is slow, by its header or because it is a drawing, which nothing predicts: it waits for a lane of large
    /// files.
    case yielded(isForeseen: Bool)
    /// The file is fine; the system lacks something (space, descriptors).
    case released(String)
    /// The data of a template is unknown: it has no sticker until it is known.
    case withdrawn(CancelReason)
    /// There is nothing left to do.
    case cancelled(CancelReason)
}

/// One finished attempt with its log.
public struct FinishedJob: Hashable, Sendable {
    /// The job.
    public var job: ClaimedJob
    /// How it ended.
    public var outcome: JobOutcome
    /// Its steps.
    public var log: StepLog
    /// Warnings that did not stop the job.
    public var warnings: [Warning]
    /// Whether the picture is in CMYK; `nil` if it was not read.
    public var isCMYK: Bool?
    /// The filled-in content of a template; `nil` for other files.
    public var drawing: TemplateDrawing?
    /// The CPU time of its workers.
    public var cpuTime: Duration

    /// Creates a finished attempt.
    public init(
        job: ClaimedJob, outcome: JobOutcome, log: StepLog, warnings: [Warning] = [],
        isCMYK: Bool? = nil, drawing: TemplateDrawing? = nil, cpuTime: Duration = .zero
    ) {
        self.job = job
        self.outcome = outcome
        self.log = log
        self.warnings = warnings
        self.isCMYK = isCMYK
        self.drawing = drawing
        self.cpuTime = cpuTime
    }
}

/// The content of a template at one instant.
public struct TemplateDrawing: Hashable, Sendable {
    /// The hash of its drawings in all styles, by which they are found again: the hash of the file does not depend on
    /// the time.
    public var content: ContentHash
    /// When its content may change, in milliseconds since 1970; `nil` if time changes nothing.
    public var next: Int64?

    /// Creates the description of drawings.
    public init(content: ContentHash, next: Int64?) {
        self.content = content
        self.next = next
    }
}
