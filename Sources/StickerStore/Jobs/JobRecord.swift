public import StickerModel

/// A job for people. Times are milliseconds since 1970.
public struct JobRecord: Hashable, Sendable, Codable {
    /// Its number.
    public var id: JobID
    /// Its state.
    public var state: JobState
    /// Whether somebody should look at it.
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
    /// How the file came into view.
    public var origin: Sighting.Origin
    /// The size of the file in the state the job is about.
    public var bytes: Int64
    /// When the file was noticed.
    public var createdAt: Int64
    /// When the last attempt began.
    public var startedAt: Int64?
    /// When the job ended.
    public var finishedAt: Int64?
    /// The code of a refusal or a cancellation, or the last error's text.
    public var reason: String?
    /// Why the file was refused.
    public var refusal: Refusal?
    /// Oddities that did not stop it.
    public var warnings: [Warning]?
    /// The hash of the file's bytes, where they were read.
    public var content: ContentHash?
    /// The recipe of what was made, or is to be made.
    public var recipe: RecipeID?
    /// The job that took its place.
    public var supersededBy: JobID?
}

/// A job with everything that is known about it.
public struct JobDetails: Hashable, Sendable, Codable {
    /// The job.
    public var job: JobRecord
    /// Its steps over all attempts.
    public var log: StepLog
    /// The other jobs of the same file, newest first; at most 20.
    public var related: [JobRecord]
}

/// Which jobs are meant; every condition that is set must hold.
public struct JobFilter: Hashable, Sendable {
    /// In one of these states; empty for any.
    public var states: Set<JobState> = []
    /// Of this category.
    public var category: CategoryID?
    /// Refused or cancelled with this code.
    public var reason: String?
    /// Only those that somebody should look at.
    public var needingAttention = false
    /// With one of these numbers; empty for any.
    public var ids: Set<JobID> = []
    /// Of this file: a path below the drop, or the end of one; or of this sticker.
    public var file: String?
    /// Noticed at this time or later, in milliseconds since 1970.
    public var since: Int64?

    /// Any job.
    public init() {}
}

/// How many jobs a filter means.
public struct JobCount: Hashable, Sendable, Codable {
    /// All of them.
    public var jobs = 0
    /// Those that somebody should look at, by reason.
    public var attention: [String: Int] = [:]

    /// None.
    public init() {}
}

/// The numbers of the store.
public struct StoreStatus: Hashable, Sendable, Codable {
    /// Jobs by state.
    public var jobs: [String: Int]
    /// Jobs that wait for their turn, for their file or for another attempt.
    public var waiting: Int
    /// Jobs that are being worked on.
    public var working: Int
    /// Refused files that somebody should look at.
    public var needAttention: Int
    /// The same by reason.
    public var reasons: [String: Int]
    /// Published stickers.
    public var stickers: Int
    /// Categories with published stickers.
    public var categories: Int
    /// Files that are gone while their sticker waits for them to come back.
    public var missing: Int
    /// Published stickers that an older revision of the code made: they are valid, and would be better now.
    public var outdated: Int
    /// How long ago the oldest waiting job's file was noticed, in milliseconds.
    public var oldestWaitingMilliseconds: Int64?
}
