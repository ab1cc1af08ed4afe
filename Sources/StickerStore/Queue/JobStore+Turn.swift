import GRDB
public import StickerModel

/// What one turn of the queue did.
public struct Turn: Sendable {
    /// How one finished attempt was booked.
    public struct Booked: Hashable, Sendable {
        /// The job.
        public var id: JobID
        /// Its state now.
        public var state: JobState
        /// How long the state lasts at least, where it is one that waits.
        public var delay: Duration?
        /// The code of the refusal or of the cancellation, where it ended so.
        public var reason: String?
    }

    /// Jobs to work on, already marked as executing on the disk.
    public var claimed: [ClaimedJob] = []
    /// The finished attempts, in the order given.
    public var booked: [Booked] = []
    /// Categories whose manifest is out of date now.
    public var changedCategories: Set<CategoryID> = []
    /// Milliseconds until the next job that waits is due; `nil` where none waits. Meaningful where fewer
    /// jobs were claimed than asked for.
    public var nextDueMilliseconds: Int64?
}

extension JobStore {
    /// Books finished attempts and claims up to `count` jobs, in one transaction.
    ///
    /// The cost does not depend on how many jobs wait.
    ///
    /// - Parameters:
    ///   - finished: attempts that ended since the last turn.
    ///   - count: as many workers as are free; 0 claims nothing.
    /// - Returns: what was booked and claimed.
    /// - Throws: `StoreError`; nothing was booked or claimed, and the call can be repeated.
    public func turn(
        finished: [FinishedJob], claiming count: Int
    ) throws(StoreError) -> Turn {
        try write { transaction in
            var booking = Booking(transaction)
            for attempt in finished { try booking.book(attempt) }
            var turn = booking.turn
            let held = try transaction.heldBack(heldDrops)
            try transaction.promoteDue(limit: count, held)
            turn.claimed = try transaction.claim(count, held)
            if turn.claimed.count < count {
                // Overdue jobs that could not start wait for one that runs alone, not for the clock.
                let now = transaction.now.boot
                turn.nextDueMilliseconds = try transaction.nextDue(after: now).map { $0 - now }
            }
            return turn
        }
    }

    /// Milliseconds until the next waiting job is due, 0 where one is overdue; `nil` where none waits.
    ///
    /// - Throws: `StoreError` where the database cannot be read.
    func nextDue() throws(StoreError) -> Int64? {
        try read { transaction in
            try transaction.nextDue(after: .min).map { max(0, $0 - transaction.now.boot) }
        }
    }
}

/// What keeps jobs from starting: paused categories and drops that are away.
private typealias HeldBack = (condition: String, arguments: StatementArguments)

extension StoreTransaction {
    /// Finds the next jobs by the index alone, where there is no `condition` besides.
    static func claimQuery(where condition: String = "") -> String {
        """
        SELECT \(JobRow.columns), job.seen, \(SourceRow.columns)
        FROM job INDEXED BY job_available JOIN source ON source.id = job.source
        WHERE job.state = 'available'\(condition) ORDER BY job.priority, job.id LIMIT ?
        """
    }

    /// Finds jobs whose time has come by the index alone, where there is no `condition` besides.
    static func dueQuery(where condition: String = "") -> String {
        """
        SELECT \(JobRow.columns) FROM job INDEXED BY job_due
        \(condition.isEmpty ? "" : "JOIN source ON source.id = job.source ")\
        WHERE job.priority = ? AND job.due <= ?\(condition) ORDER BY job.due LIMIT ?
        """
    }

    /// Makes jobs available whose time to wait is over: as many of each priority as can be claimed.
    /// Those that are held back must not take the places of others, and wait just the same.
    fileprivate func promoteDue(limit: Int, _ held: HeldBack) throws {
        let query = Self.dueQuery(where: held.condition)
        for priority in 0...JobPriority.last.rawValue {
            let arguments: StatementArguments = [priority, now.boot]
            let due = try rows(query, arguments + held.arguments + [limit]).map(JobRow.init)
            for var job in due { try move(&job, .due) }
        }
    }

    fileprivate func claim(_ count: Int, _ held: HeldBack) throws -> [ClaimedJob] {
        guard try count > 0 && !isPaused() else { return [] }
        let candidates = try rows(
            Self.claimQuery(where: held.condition), held.arguments + [count])
        var claimed: [ClaimedJob] = []
        for row in candidates {
            var job = try JobRow(row)
            guard try mayStart(job, beside: claimed.count) else { break }
            try move(&job, .claimed, [("started_at", now.wall)])
            claimed.append(ClaimedJob(job, try SourceRow(row, from: 12), age: now.boot - row[11]))
        }
        return claimed
    }

    /// What must hold for a job besides being available. Nothing in most cases, so that the index
    /// alone finds the next ones.
    fileprivate func heldBack(_ absent: Set<String>) throws -> HeldBack {
        var condition = ""
        if try count("SELECT count(*) FROM category WHERE paused = 1") > 0 {
            condition += " AND source.category NOT IN (SELECT id FROM category WHERE paused = 1)"
        }
        guard !absent.isEmpty else { return (condition, []) }
        let marks = absent.map { _ in "?" }.joined(separator: ", ")
        condition += " AND source.drop_path NOT IN (\(marks))"
        return (condition, StatementArguments(absent.sorted()))
    }

    /// A job with which the daemon died twice runs while nothing else does.
    private func mayStart(_ job: JobRow, beside others: Int) throws -> Bool {
        let executing = """
            SELECT count(*) FROM job INDEXED BY job_executing WHERE state = 'executing'
            """
        guard job.priority != .last else { return try others == 0 && count(executing) == 0 }
        return try count(executing + " AND priority = \(JobPriority.last.rawValue)") == 0
    }

    fileprivate func nextDue(after time: Int64) throws -> Int64? {
        let times: [Int64] = try (0...JobPriority.last.rawValue).compactMap { priority in
            try value(
                "SELECT min(due) FROM job INDEXED BY job_due WHERE priority = ? AND due > ?",
                [priority, time])
        }
        return times.min()
    }
}

extension ClaimedJob {
    init(_ job: JobRow, _ source: SourceRow, age: Int64) {
        self.init(
            id: JobID(rawValue: job.id), source: source.key, generation: job.generation,
            origin: job.origin, attempt: job.attempt, ageMilliseconds: age,
            category: source.category, categoryFolder: source.key.categoryFolder,
            sticker: source.sticker)
        isBulk = job.priority != .fresh
    }
}
