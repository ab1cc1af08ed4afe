import GRDB
import StickerModel

/// Marks the next jobs as executing, within one transaction.
struct Claim {
    /// How long a job that runs alone lets others go first, in milliseconds.
    static let loneWaitMax: Int64 = 60_000

    let transaction: StoreTransaction
    let held: HeldBack
    /// When a job was last seen to run alone: the next one waits from then on.
    var loneSince: Int64
    var claimed: [ClaimedJob] = []

    init(_ transaction: StoreTransaction, _ held: HeldBack, loneSince: Int64) {
        self.transaction = transaction
        self.held = held
        self.loneSince = loneSince
    }

    /// Claims up to `count` ordinary jobs, and up to `large` large ones.
    mutating func run(_ count: Int, large: Int?) throws {
        let room = large ?? count
        try promoteDue(JobPriority.fresh...JobPriority.bulk, limit: count)
        try promoteDue(JobPriority.large...JobPriority.last, limit: room)
        guard count > 0 || room > 0, try !transaction.isPaused() else { return }
        let running = try transaction.executing()
        guard !running.contains(where: { $0.priority == .last }) else {
            return loneSince = transaction.now.boot
        }
        let lone = try room > 0 ? next(.last, limit: 1).first : nil
        if let lone, isOverdue(lone.job) {
            if running.isEmpty { try take(lone) }
            return
        }
        for candidate in try next(.fresh, .bulk, limit: count) { try take(candidate) }
        try claimLarge(large ?? (count - claimed.count), running)
        if let lone, running.isEmpty, claimed.isEmpty { try take(lone) }
    }

    /// A job that failed in a worker waits until no other large job runs, and the others wait for it.
    private mutating func claimLarge(_ room: Int, _ running: [JobRow]) throws {
        let large = running.filter(\.priority.isLarge)
        guard room > 0, !large.contains(where: \.isAloneAmongLarge) else { return }
        var others = large.count
        for candidate in try next(.large, limit: room) {
            guard !candidate.job.isAloneAmongLarge || others == 0 else { return }
            try take(candidate)
            others += 1
            if candidate.job.isAloneAmongLarge { return }
        }
    }

    private func isOverdue(_ job: JobRow) -> Bool {
        transaction.now.boot - max(job.waitingSince, loneSince) >= Self.loneWaitMax
    }

    private mutating func take(_ candidate: Candidate) throws {
        var job = candidate.job
        try transaction.move(&job, .claimed, [("started_at", transaction.now.wall)])
        if job.priority == .last { loneSince = transaction.now.boot }
        let age = transaction.now.boot - candidate.seen
        claimed.append(
            ClaimedJob(
                job, candidate.source, age: age,
                names: try transaction.categoryNames(of: candidate.source)))
    }
}

// MARK: - Finding jobs

/// What keeps jobs from starting: paused categories and missing drops.
typealias HeldBack = (condition: String, arguments: StatementArguments)

/// A job that could be claimed.
private typealias Candidate = (job: JobRow, seen: Int64, source: SourceRow)

extension Claim {
    /// Finds the next jobs, by the index alone if there is no further `condition`.
    static func query(where condition: String = "") -> String {
        """
        SELECT \(JobRow.columns), job.seen, \(SourceRow.columns)
        FROM job INDEXED BY job_available JOIN source ON source.id = job.source
        WHERE job.state = 'available' AND job.priority BETWEEN ? AND ?\(condition)
        ORDER BY job.priority, job.id LIMIT ?
        """
    }

    /// Finds jobs that are due, by the index alone if there is no further `condition`.
    static func dueQuery(where condition: String = "") -> String {
        """
        SELECT \(JobRow.columns) FROM job INDEXED BY job_due
        \(condition.isEmpty ? "" : "JOIN source ON source.id = job.source ")\
        WHERE job.priority = ? AND job.due <= ?\(condition) ORDER BY job.due LIMIT ?
        """
    }

    private func next(
        _ first: JobPriority, _ last: JobPriority? = nil, limit: Int
    ) throws -> [Candidate] {
        guard limit > 0 else { return [] }
        let range: StatementArguments = [first.rawValue, (last ?? first).rawValue]
        let sql = Self.query(where: held.condition)
        return try transaction.rows(sql, range + held.arguments + [limit]).map { row in
            (
                job: try JobRow(row), seen: row[JobRow.width],
                source: try SourceRow(row, from: JobRow.width + 1)
            )
        }
    }

    /// Makes jobs available whose waiting time is over: as many of each priority as can be claimed. Those
    /// that are held back keep waiting, so that they do not take the places of others.
    private func promoteDue(_ priorities: ClosedRange<JobPriority>, limit: Int) throws {
        guard limit > 0 else { return }
        let query = Self.dueQuery(where: held.condition)
        for priority in priorities.lowerBound.rawValue...priorities.upperBound.rawValue {
            let arguments: StatementArguments = [priority, transaction.now.boot]
            let due = try transaction.rows(query, arguments + held.arguments + [limit])
            for row in due {
                var job = try JobRow(row)
                try transaction.move(&job, .due)
            }
        }
    }
}

extension JobRow {
    /// Whether no other large job may run at the same time.
    fileprivate var isAloneAmongLarge: Bool { priority == .large && blame.workerFailures > 0 }
}

extension StoreTransaction {
    /// The jobs that are claimed now: about as many as there are lanes.
    fileprivate func executing() throws -> [JobRow] {
        try rows(
            """
            SELECT \(JobRow.columns) FROM job INDEXED BY job_executing WHERE state = 'executing'
            """
        ).map(JobRow.init)
    }

    /// What must hold for a job besides being available. Usually empty, so that the index alone finds the
    /// next ones.
    func heldBack(_ absent: Set<String>) throws -> HeldBack {
        var condition = ""
        if try count("SELECT count(*) FROM category INDEXED BY category_paused WHERE paused = 1")
            > 0
        {
            condition +=
                " AND (SELECT paused FROM category WHERE category.id = source.category) = 0"
        }
        guard !absent.isEmpty else { return (condition, []) }
        let marks = absent.map { _ in "?" }.joined(separator: ", ")
        condition += " AND source.drop_path NOT IN (\(marks))"
        return (condition, StatementArguments(absent.sorted()))
    }
}

extension ClaimedJob {
    fileprivate init(
        _ job: JobRow, _ source: SourceRow, age: Int64, names: CategoryNames
    ) {
        self.init(
            id: JobID(rawValue: job.id), source: source.key, version: job.version,
            origin: job.origin, attempt: job.attempt, ageMilliseconds: age,
            category: source.category, categoryNames: names,
            sticker: source.sticker, isLarge: job.priority.isLarge,
            workerFailures: min(job.blame.workerFailures, Blame.workerFailuresMax))
        isBulk = job.priority != .fresh
        renewal = job.renewal
    }
}
