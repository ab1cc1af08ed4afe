public import StickerModel

/// What became of a batch of sightings.
public struct IntakeSummary: Hashable, Sendable {
    /// New jobs.
    public var accepted = 0
    /// Waiting jobs that took a newer state of their file.
    public var renewed = 0
    /// Sightings that told nothing new.
    public var known = 0
    /// Files whose name is none of our business.
    public var ignored = 0
    /// Files refused by their name or kind alone.
    public var refused: [RefusedFile] = []
    /// Stickers that followed their file to a new name.
    public var renamed = 0
    /// Files that went away.
    public var vanished = 0
    /// Published files that were missed and came back as they were. Their jobs were cancelled meanwhile;
    /// what was to be made anew of them is to be queued again.
    public var returned = 0
    /// Executing jobs whose work will not be published: their file has a newer state or is gone.
    public var outdated: [JobID] = []
    /// Categories that changed: publish them.
    public var changedCategories: Set<CategoryID> = []
    /// Whether a job can be claimed right now.
    public var startsNow = false

    /// Nothing happened.
    public init() {}
}

/// A file that was refused at first sight.
public struct RefusedFile: Hashable, Sendable {
    /// The job that says so.
    public var job: JobID
    /// The file.
    public var source: SourceKey
    /// Its category.
    public var category: CategoryID
    /// Why.
    public var refusal: Refusal
}
