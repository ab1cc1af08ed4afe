import GRDB
import StickerModel

/// What a file has done to those who worked on it.
///
/// It stands in the job and passes to the next job of the same file as long as the size stays the
/// same, because equal bytes have equal sizes: touching a file, or copying it again, forgives nothing.
/// Another size is another picture. A job that ends in peace is forgiven everything.
struct Blame: Equatable {
    /// Deaths of the daemon while this was really running.
    var deaths = 0
    /// Workers that failed with `content`.
    var workerFailures = 0
    /// The bytes that a worker failed with, if they are known.
    var content: String?

    static let none = Blame()

    /// After this many deaths a job runs last and alone; the next death is a refusal.
    static let deathsMax = 2
    /// After this many failures of workers a job runs alone among large ones; the next is a refusal.
    static let workerFailuresMax = 1

    /// The place in the queue that it asks for.
    var priority: JobPriority {
        if deaths >= Self.deathsMax { return .last }
        return workerFailures > 0 ? .large : .fresh
    }

    /// What the next job of the same bytes begins with: one careful attempt is always left.
    var inherited: Blame {
        Blame(
            deaths: min(deaths, Self.deathsMax),
            workerFailures: min(workerFailures, Self.workerFailuresMax), content: content)
    }

    /// Adds the failure of a worker that read `content`; other bytes than before start over.
    mutating func addWorkerFailure(_ content: ContentHash?) {
        let isSame = content == nil || self.content == nil || content?.rawValue == self.content
        workerFailures = isSame ? workerFailures + 1 : 1
        self.content = content?.rawValue ?? self.content
    }

    /// The columns that keep it.
    var assignments: [Assignment] {
        [
            ("deaths", deaths), ("worker_failures", workerFailures), ("blamed_content", content),
        ]
    }
}

extension JobPriority {
    /// Whether it waits for a lane of large jobs.
    var isLarge: Bool { self >= .large }
}

extension JobPriority: Comparable {
    static func < (one: JobPriority, other: JobPriority) -> Bool { one.rawValue < other.rawValue }
}

extension StoreTransaction {
    /// What the newest job of a file was blamed for, if the file has as many bytes as then.
    func blame(of source: Int64, size: Int64) throws -> Blame {
        let job = try row(
            "SELECT \(JobRow.columns) FROM job WHERE source = ? ORDER BY id DESC LIMIT 1", [source]
        ).map(JobRow.init)
        guard let job, job.version.size == size else { return .none }
        return job.blame.inherited
    }

    /// Gives `heir`, the next job of the same file, what `job` is blamed for by now.
    func inherit(_ blame: Blame, of job: JobRow, _ heir: JobRow) throws {
        guard heir.version.size == job.version.size, !heir.state.isFinal else { return }
        let inherited = blame.inherited
        try update(
            heir,
            inherited.assignments
                + [("priority", max(heir.priority, inherited.priority).rawValue)])
    }
}
