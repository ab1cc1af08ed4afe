import GRDB
import StickerModel

/// The damage that a file has done: workers that failed with it, and crashes of the daemon.
///
/// It is stored in the job and passes to the next job of the same file as long as the size stays the same,
/// because equal bytes have equal sizes: touching a file, or copying it again, forgives nothing. A
/// different size means a different picture. A job that ends normally is forgiven everything.
struct Blame: Equatable {
    /// How often a thread of the daemon crashed while it read the file.
    var crashes = 0
    /// Workers that failed with `content`.
    var workerFailures = 0
    /// The bytes that a worker failed with, if known.
    var content: String?

    static let none = Blame()

    /// After so many crashes the file is held. No other job ran during all but the first.
    static let crashesMax = 3
    /// After this many worker failures a job waits until nothing else does; the next one leads to a refusal.
    static let workerFailuresMax = 1

    /// The place in the queue that it calls for; the first if it is none.
    var priority: JobPriority {
        if crashes > 0 { return .last }
        return workerFailures > 0 ? .again : .words
    }

    /// What the next job with the same bytes starts with: one careful attempt is always left.
    var inherited: Blame {
        Blame(
            crashes: min(crashes, Self.crashesMax - 1),
            workerFailures: min(workerFailures, Self.workerFailuresMax), content: content)
    }

    /// Adds the failure of a worker that read `content`; if the bytes differ from before, counting starts
    /// over.
    mutating func addWorkerFailure(_ content: ContentHash?) {
        let isSame = content == nil || self.content == nil || content?.rawValue == self.content
        workerFailures = isSame ? workerFailures + 1 : 1
        self.content = content?.rawValue ?? self.content
    }

    /// The columns that store it.
    var assignments: [Assignment] {
        [
            ("deaths", crashes), ("worker_failures", workerFailures), ("blamed_content", content),
        ]
    }
}

extension JobPriority {
    /// Whether it waits for a lane for large jobs.
    var isLarge: Bool { self >= .large }
}

extension JobPriority: Comparable {
    static func < (one: JobPriority, other: JobPriority) -> Bool { one.rawValue < other.rawValue }
}

extension StoreTransaction {
    /// What the newest job of a file was blamed for, if the file has the same size as then.
    func blame(of source: Int64, size: Int64) throws -> Blame {
        let job = try row(
            "SELECT \(JobRow.columns) FROM job WHERE source = ? ORDER BY id DESC LIMIT 1", [source]
        ).map(JobRow.init)
        guard let job, job.version.size == size else { return .none }
        return job.blame.inherited
    }

    /// Passes on to `heir`, the next job of the same file, what `job` is blamed for by now.
    func inherit(_ blame: Blame, of job: JobRow, _ heir: JobRow) throws {
        guard heir.version.size == job.version.size, !heir.state.isFinal else { return }
        let inherited = blame.inherited
        try update(
            heir,
            inherited.assignments
                + [("priority", max(heir.priority, inherited.priority).rawValue)])
    }
}
