import GRDB
import StickerValues

/// A job as the database stores it, without its texts.
struct JobRow {
    var id: Int64
    var source: Int64
    var state: JobState
    var attempt: Int
    var priority: JobPriority
    var version: FileVersion
    var origin: Sighting.Origin
    var waitingSince: Int64
    var blame: Blame
    /// Whether it makes its files again, even if they exist.
    var renewal: ClaimedJob.Renewal

    static let width = 15
    static let columns =
        """
        job.id, job.source, job.state, job.attempt, job.priority, job.inode, job.size, job.mtime, \
        job.ctime, job.origin, job.waiting_since, job.deaths, job.worker_failures, \
        job.blamed_content, job.renews
        """

    /// Reads the columns named in `columns`, in that order.
    init(_ row: Row) throws {
        guard let state = JobState(rawValue: row[2]), let priority = JobPriority(rawValue: row[4]),
            let origin = Sighting.Origin(rawValue: row[9]),
            let renewal = ClaimedJob.Renewal(rawValue: row[14])
        else { throw StoreError(.damaged, "job \(row) makes no sense" + StoreError.rebuildHint) }
        id = row[0]
        source = row[1]
        self.state = state
        attempt = row[3]
        self.priority = priority
        version = FileVersion(
            inode: UInt64(bitPattern: row[5]), size: row[6], mtime: row[7], ctime: row[8])
        self.origin = origin
        waitingSince = row[10]
        blame = Blame(crashes: row[11], workerFailures: row[12], content: row[13])
        self.renewal = renewal
    }
}

/// The order of claims; within each priority, users and categories take turns (`LaneShares`).
enum JobPriority: Int, CaseIterable {
    /// A side file, on a lane of its own: it waits for no picture, and no picture waits for it.
    case words = -1
    /// Dropped just now.
    case fresh = 0
    /// One of many dropped at once.
    case bulk = 1
    /// A slow job: it runs on a lane that small files do not need.
    case large = 2
    /// A large job whose duration no header predicts: at most half of the lanes are for these.
    case drawn = 3
    /// A worker failed with it: it runs once nothing else waits, while no other large job runs.
    case again = 4
    /// The daemon died twice during it: it runs last and alone.
    case last = 5
}

/// A column and its new value.
typealias Assignment = (column: String, value: (any DatabaseValueConvertible)?)

extension StoreTransaction {
    func job(_ id: Int64) throws -> JobRow? {
        try row("SELECT \(JobRow.columns) FROM job WHERE id = ?", [id]).map(JobRow.init)
    }

    /// The jobs of a source, oldest first.
    func jobs(of source: Int64, where condition: String) throws -> [JobRow] {
        try rows(
            "SELECT \(JobRow.columns) FROM job WHERE source = ? AND (\(condition)) ORDER BY id",
            [source]
        ).map(JobRow.init)
    }

    /// Applies `event`, and then `next`, to `job`; the only place that changes the state of a job.
    @discardableResult
    func move(
        _ job: inout JobRow, _ event: JobLifecycle.Event, then next: JobLifecycle.Event? = nil,
        _ more: [Assignment] = []
    ) throws -> JobLifecycle.Change {
        var change = JobLifecycle(state: job.state, attempt: job.attempt)
            .after(event, retryDelays: policy.retryDelays, jitter: jitter())
        if let next {
            change = JobLifecycle(state: change.state, attempt: change.attempt)
                .after(next, retryDelays: policy.retryDelays, jitter: jitter())
        }
        let waits = change.state == .scheduled || change.state == .retryable
        let due = now.boot + (change.delay ?? .zero).milliseconds
        let changed = try update(
            job,
            [
                ("state", change.state.rawValue), ("attempt", change.attempt),
                ("due", waits ? due : nil), ("finished_at", change.state.isFinal ? now.wall : nil),
            ] + more)
        guard changed else {
            throw StoreError(.other, "job \(job.id) is no longer \(job.state.rawValue)")
        }
        job.state = change.state
        job.attempt = change.attempt
        if [.completed, .discarded].contains(job.state) { try settleEarlierRefusals(of: job) }
        return change
    }

    /// Clears the attention flag of earlier refusals of the file.
    private func settleEarlierRefusals(of job: JobRow) throws {
        try run(
            """
            UPDATE job SET superseded_by = ?1 WHERE source = ?2 AND id < ?1
                AND state = 'discarded' AND superseded_by IS NULL
            """, [job.id, job.source])
    }

    /// Changes columns of a job that is still in the state in which it was read.
    @discardableResult
    func update(_ job: JobRow, _ assignments: [Assignment]) throws -> Bool {
        let columns = assignments.map { "\($0.column) = ?" }.joined(separator: ", ")
        let arguments =
            StatementArguments(assignments.map(\.value)) + [job.id, job.state.rawValue]
        return try run("UPDATE job SET \(columns) WHERE id = ? AND state = ?", arguments) == 1
    }

    /// The assignments that record a new state of a job's file.
    func seen(_ version: FileVersion, _ origin: Sighting.Origin) -> [Assignment] {
        [
            ("inode", Int64(bitPattern: version.inode)), ("size", version.size),
            ("mtime", version.mtime), ("ctime", version.ctime),
            ("origin", origin.rawValue), ("seen", now.boot),
        ]
    }

    /// Adds to the log of a job.
    func addToLog(of job: JobRow, _ entry: StepEntry) throws {
        let text: String? = try value("SELECT log FROM job WHERE id = ?", [job.id])
        var log = try text.map { try StoredJSON.decode(StepLog.self, from: $0) } ?? StepLog()
        log.append(entry)
        try update(job, [("log", try StoredJSON.text(log))])
    }
}
