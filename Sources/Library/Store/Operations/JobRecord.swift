public import StickerValues

/// A job for display.
public struct JobRecord: Hashable, Sendable, Codable {
    /// Its number.
    public var id: JobID
    /// Its state.
    public var state: JobState
    /// Whether it needs attention.
    public var needsAttention: Bool
    /// The file below its drop, escaped.
    public var file: String
    /// The drop.
    public var drop: String
    /// The category.
    public var category: CategoryID
    /// The sticker; absent for covers and files that are not read.
    public var sticker: StickerID?
    /// Attempts that count.
    public var attempt: Int
    /// How the file was noticed.
    public var origin: Sighting.Origin
    /// The size of the file in the state the job is about.
    public var bytes: Int64
    /// When the file was noticed.
    public var createdAt: Timestamp
    /// When the last attempt began.
    public var startedAt: Timestamp?
    /// When the job ended.
    public var finishedAt: Timestamp?
    /// The code of a refusal or a cancellation, or the text of the last error.
    public var reason: String?
    /// Why the file was refused.
    public var refusal: Refusal?
    /// Warnings that did not stop the job.
    public var warnings: [Warning]?
    /// The hash of the file's bytes, if they were read.
    public var content: ContentHash?
    /// The recipe that made the result, or will make it.
    public var recipe: RecipeID?
    /// The job that took its place.
    public var supersededBy: JobID?
}

/// A job with everything known about it.
public struct JobDetails: Hashable, Sendable, Codable {
    /// The job.
    public var job: JobRecord
    /// Its steps over all attempts.
    public var log: StepLog
    /// The concessions of its sticker that apply to this file; absent if there are none.
    public var granted: Concessions?
    /// The other jobs of the same file, newest first; at most 20.
    public var related: [JobRecord]
}

/// Selects jobs; every condition that is set must hold.
public struct JobFilter: Hashable, Sendable {
    /// Jobs in one of these states; empty for any.
    public var states: Set<JobState> = []
    /// Jobs of this category.
    public var category: CategoryID?
    /// Jobs refused or cancelled with this code.
    public var reason: String?
    /// Only jobs that need attention.
    public var needingAttention = false
    /// Jobs with one of these numbers; empty for any.
    public var ids: Set<JobID> = []
    /// Jobs of this file, given as a path below the drop or the end of one, or of this sticker.
    public var file: String?
    /// Jobs of files or stickers with this in their name or id, in small or large letters, or with this path.
    public var search: String?
    /// Jobs noticed at this time or later.
    public var since: Timestamp?

    /// Creates a filter that selects any job.
    public init() {}
}

/// How many jobs a filter selects.
public struct JobCount: Hashable, Sendable, Codable {
    /// All of them.
    public var jobs = 0
    /// Those that need attention, by reason.
    public var attention: [String: Int] = [:]

    /// Creates an empty count.
    public init() {}
}

/// The figures of the store.
public struct StoreStatus: Hashable, Sendable, Codable {
    /// Jobs by state.
    public var jobs: [String: Int]
    /// Jobs that wait for their turn, for their file or for another attempt.
    public var waiting: Int
    /// Jobs that are executing.
    public var working: Int
    /// Refused files that need attention.
    public var needAttention: Int
    /// Refused files that need attention, by reason.
    public var reasons: [String: Int]
    /// Published stickers.
    public var stickers: Int
    /// Categories with published stickers.
    public var categories: Int
    /// Missing files whose stickers wait for their return.
    public var missing: Int
    /// Published stickers of older releases that would be better if made now; `nil` if not counted.
    public var outdated: Int?
    /// The number of those that show their pictures wrong.
    public var wrong: Int?
    /// How long ago the oldest waiting job's file was noticed, in milliseconds.
    public var oldestWaitingMilliseconds: Int64?
}
