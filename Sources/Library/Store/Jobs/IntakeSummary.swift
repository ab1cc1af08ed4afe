public import StickerValues

/// The result of recording a batch of sightings.
public struct IntakeSummary: Hashable, Sendable {
    /// New jobs.
    public var accepted = 0
    /// Waiting jobs that took a newer state of their file.
    public var renewed = 0
    /// Sightings without news.
    public var known = 0
    /// Files whose name stickerd does not handle.
    public var ignored = 0
    /// Files refused by their name or kind alone.
    public var refused: [RefusedFile] = []
    /// Stickers that followed their file to a new name.
    public var renamed: [RenamedFile] = []
    /// Files that vanished.
    public var vanished = 0
    /// Published files that were missing and came back unchanged. Their jobs were cancelled meanwhile; renewals have to
    /// be queued again.
    public var returned = 0
    /// Executing jobs whose results will not be published: their file changed or is gone.
    public var outdated: [JobID] = []
    /// Changed categories, to be published.
    public var changedCategories: Set<CategoryID> = []
    /// Whether a job can be claimed right now.
    public var startsNow = false

    /// Creates an empty summary.
    public init() {}
}

/// A file that was refused at first sight.
public struct RefusedFile: Hashable, Sendable {
    /// The job that records the refusal.
    public var job: JobID
    /// The file.
    public var source: SourceKey
    /// Its category.
    public var category: CategoryID
    /// Why.
    public var refusal: Refusal
}
