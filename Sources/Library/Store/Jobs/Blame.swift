import GRDB
import StickerValues

/// The damage that a file has done: failed workers and crashes of the daemon.
///
/// It is stored in the job and passes to the next job of the same file as long as the size stays the same: touching a
/// file or copying it again clears nothing. A different size means a different picture. A job that ends normally clears
/// it.
struct Blame: Equatable {
    /// How often a thread of the daemon crashed while it read the file.
    var crashes = 0
    /// Failed workers with `content`.
    var workerFailures = 0
    /// The bytes with which a worker failed, if known.
    var content: String?

    static let none = Blame()

    /// The file is held after this many crashes. No other job ran during any but the first.
    static let crashesMax = 3
    /// After this many worker failures a job waits until the queue is otherwise empty; the next failure is a refusal.
    static let workerFailuresMax = 1

    /// The priority that it requires.
    var priority: JobPriority {
        if crashes > 0 { return .last }
        return workerFailures > 0 ? .again : .words
    }

    /// The blame of the next job with the same bytes: one careful attempt is always left.
    var inherited: Blame {
        Blame(
            crashes: min(crashes, Self.crashesMax - 1),
            workerFailures: min(workerFailures, Self.workerFailuresMax), content: content)
    }

    /// Adds the failure of a worker that read `content`; other bytes restart the count.
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
    var isLarge: Bool { self >= .large }
}

extension JobPriority: Comparable {
    static func < (one: JobPriority, other: JobPriority) -> Bool { one.rawValue < other.rawValue }
}

extension StoreTransaction {
    /// The blame of the newest job of a file, if the size is unchanged.
    func blame(of source: Int64, size: Int64) throws -> Blame {
        let job = try row(
            "SELECT \(JobRow.columns) FROM job WHERE source = ? ORDER BY id DESC LIMIT 1", [source]
        ).map(JobRow.init)
        guard let job, job.version.size == size else { return .none }
        return job.blame.inherited
    }

    /// Passes the present blame of `job` on to `heir`, the next job of the same file.
    func inherit(_ blame: Blame, of job: JobRow, _ heir: JobRow) throws {
        guard heir.version.size == job.version.size, !heir.state.isFinal else { return }
        let inherited = blame.inherited
        try update(
            heir,
            inherited.assignments
                + [("priority", max(heir.priority, inherited.priority).rawValue)])
    }
}

extension Stranger {
    /// Why the file `key` is no sticker.
    func refusal(of key: SourceKey) -> Refusal {
        switch self {
        case .misnamed(let picture): picture.refusal(of: key)
        case .crashing:
            .crashing(
                "held: stickerd crashed each time it looked whether the file is a picture",
                Blame.crashesMax,
                remedy:
                    "move it out of the folder; after an update of stickerd it is checked again")
        }
    }
}
