import GRDB
import StickerValues

/// How many jobs may be claimed, by kind.
public struct ClaimDemand: Hashable, Sendable {
    /// Side files.
    public var words: Int
    /// Pictures dropped by hand.
    public var fresh: Int
    /// These and pictures from bulk drops.
    public var ordinary: Int
    /// Large ones.
    public var large: Int
    /// Large jobs whose duration no header predicts.
    public var drawn: Int
    /// Whether a job with a worker failure may be claimed if nothing else waits.
    public var again: Bool
    /// One more large job, of a user other than these, who hold all lanes; empty for none.
    public var guestOf: Set<LaneShares.Holder> = []
    /// The limit for all kinds together.
    var inAllMax = Int.max

    /// Creates a demand; see the properties.
    public init(
        words: Int = 0, fresh: Int = 0, ordinary: Int = 0, large: Int = 0, drawn: Int = 0,
        again: Bool = false
    ) {
        self.words = words
        (self.fresh, self.ordinary, self.large) = (fresh, ordinary, large)
        (self.drawn, self.again) = (drawn, again)
    }

    /// Any jobs, up to `count` in all.
    public static func any(_ count: Int) -> ClaimDemand {
        var demand = ClaimDemand(
            words: count, fresh: count, ordinary: count, large: count, drawn: count,
            again: count > 0)
        demand.inAllMax = count
        return demand
    }

    /// The number of jobs if enough wait.
    var count: Int {
        min(inAllMax, words + max(fresh, ordinary) + large + (guestOf.isEmpty ? 0 : 1))
    }
}

/// Marks the next jobs as executing, within one transaction.
struct Claim {
    /// How long others may go before a job that runs alone, in milliseconds.
    static let loneWaitMax: Int64 = 60_000
    /// The assumed time of a job just claimed, until its real time is known.
    private static let expected = Duration.seconds(1)

    let transaction: StoreTransaction
    /// When a job was last seen to run alone: the next one waits from then on.
    var loneSince: Int64
    var shares: LaneShares
    var claimed: [ClaimedJob] = []
    private let held: HeldBack
    private let waiting: [JobPriority: WaitingJobs]
    /// Names of each category, by one of its folders.
    private var known: [CategoryID: CategoryNames] = [:]

    init(
        _ transaction: StoreTransaction, _ waiting: [JobPriority: WaitingJobs], loneSince: Int64,
        _ shares: LaneShares
    ) throws {
        self.transaction = transaction
        self.waiting = waiting
        held = try waiting.values.contains(where: \.isReady) ? transaction.heldBack() : HeldBack()
        self.loneSince = loneSince
        self.shares = shares
    }

    /// Claims up to as many jobs as demanded.
    mutating func run(_ demand: ClaimDemand) throws {
        guard demand.count > 0, waiting.values.contains(where: \.isReady),
            try !transaction.isPaused()
        else { return }
        let running = try transaction.executing()
        guard !running.contains(where: { $0.priority == .last }) else {
            return loneSince = transaction.now.boot
        }
        let lone = try demand.large > 0 ? nextLone() : nil
        if let lone, isOverdue(lone.job) {
            if running.isEmpty { try take(lone) }
            return
        }
        try takeNext([.words: demand.words], demand.words)
        let words = claimed.count
        let fresh = min(demand.fresh, demand.inAllMax - words)
        try takeNext([.fresh: fresh], fresh)
        let bulk = min(demand.ordinary + words, demand.inAllMax) - claimed.count
        try takeNext([.bulk: bulk], bulk)
        let large = min(demand.large, demand.inAllMax - claimed.count)
        try takeNext([.large: large, .drawn: demand.drawn], large)
        if claimed.allSatisfy({ !$0.isLarge }), !demand.guestOf.isEmpty {
            try takeNext([.large: 1], 1) { $0.isApart(from: demand.guestOf) }
        }
        guard claimed.count == words else { return }
        if demand.again, !running.contains(where: \.priority.isLarge) {
            try takeNext([.again: 1], 1)
        }
        if let lone, running.isEmpty, claimed.isEmpty { try take(lone) }
    }

    /// Takes the next jobs in turn: up to `limit`, and of each priority as many as fit.
    private mutating func takeNext(
        _ room: [JobPriority: Int], _ limit: Int,
        of isMeant: (LaneShares.Holder) -> Bool = { _ in true }
    ) throws {
        var (left, room) = (limit, room)
        guard left > 0 else { return }
        let priorities = room.keys.filter { room[$0, default: 0] > 0 }
        var waiting = try inOrder(priorities.flatMap(queues).filter { isMeant($0.holder) })
        while left > 0, let next = waiting.popLast() {
            guard room[next.priority, default: 0] > 0, let candidate = try first(next) else {
                continue
            }
            try take(candidate)
            left -= 1
            room[next.priority, default: 0] -= 1
            shares.add(Self.expected, to: next)
            // Every queue of the same user has a new place.
            waiting = inOrder(waiting + [next])
        }
    }

    /// Sorted so that the last one is next.
    private func inOrder(_ queues: [Queue]) -> [Queue] {
        queues.map { ($0, shares.place(of: $0)) }.sorted { $0.1 > $1.1 }.map(\.0)
    }

    /// The next job that runs alone, if one may begin.
    private func nextLone() throws -> Candidate? {
        for queue in try inOrder(queues(.last)).reversed() {
            if let candidate = try first(queue) { return candidate }
        }
        return nil
    }

    private func isOverdue(_ job: JobRow) -> Bool {
        transaction.now.boot - max(job.waitingSince, loneSince) >= Self.loneWaitMax
    }

    private mutating func take(_ candidate: Candidate) throws {
        var job = candidate.job
        let isDue = job.state != .available
        try transaction.move(
            &job, isDue ? .due : .claimed, then: isDue ? .claimed : nil,
            [("started_at", transaction.now.wall)])
        if job.priority == .last { loneSince = transaction.now.boot }
        let age = transaction.now.boot - candidate.seen
        var next = ClaimedJob(
            job, candidate.source, age: age,
            names: try names(of: candidate.source))
        next.owner = candidate.holder.owner
        claimed.append(next)
    }

    private mutating func names(of source: SourceRow) throws -> CategoryNames {
        var names = try known[source.category] ?? transaction.categoryNames(of: source)
        known[source.category] = names
        names.folder = source.key.categoryFolder
        return names
    }
}

// MARK: - Finding jobs

/// The reasons that keep jobs from starting: paused categories and missing drops.
struct HeldBack {
    var categories: Set<String> = []
    /// A condition on the source of a job.
    var condition = ""
    var arguments: StatementArguments = []
}

/// The jobs of one holder that wait with one priority.
private struct Queue: Equatable {
    var priority: JobPriority
    var holder: LaneShares.Holder
    /// The one that has waited longest.
    var first: Int64
    /// Whether only jobs wait whose waiting time is over.
    var isOnlyDue: Bool
}

extension LaneShares {
    fileprivate func place(of queue: Queue) -> Place {
        place(of: queue.holder, queue.priority, first: queue.first)
    }

    fileprivate mutating func add(_ time: Duration, to queue: Queue) {
        if queue.priority == .words { return add(words: time, to: queue.holder) }
        let isLarge = queue.priority.isLarge
        add(isLarge ? .zero : time, large: isLarge ? time : .zero, to: queue.holder)
    }
}

private typealias Candidate = (
    job: JobRow, seen: Int64, source: SourceRow, holder: LaneShares.Holder
)

extension Claim {
    /// Finds the next job of a holder, by the index alone if there is no further `condition`: an available job, or one
    /// whose waiting time is over.
    static func query(isDue: Bool, where condition: String = "") -> String {
        """
        SELECT \(JobRow.columns), job.seen, \(SourceRow.columns)
        FROM job INDEXED BY \(isDue ? "job_due_turn" : "job_turn")
        JOIN source ON source.id = job.source
        WHERE job.\(isDue ? "due <= ?" : "state = 'available'") AND job.priority = ?
            AND job.owner = ? AND job.category = ?\(condition)
        ORDER BY \(isDue ? "job.due, " : "")job.id LIMIT 1
        """
    }

    /// Finds the holders with waiting jobs and the oldest job of each: one index lookup per holder.
    static func queuesQuery(isDue: Bool) -> String {
        let (due, order) = (isDue ? "due" : "NULL", isDue ? "due, id" : "id")
        func next(_ condition: String, _ order: String) -> String {
            """
            (SELECT id FROM job INDEXED BY \(isDue ? "job_due_turn" : "job_turn")
                WHERE \(isDue ? "due IS NOT NULL" : "state = 'available'")
                    AND priority = ?1\(condition) ORDER BY \(order) LIMIT 1)
            """
        }
        let first = next("", "owner, category, \(order)")
        let sameOwner = next(
            " AND owner = queue.owner AND category > queue.category", "category, \(order)")
        let nextOwner = next(" AND owner > queue.owner", "owner, category, \(order)")
        return """
            WITH RECURSIVE queue(owner, category, first, due) AS (
                SELECT owner, category, id, \(due) FROM job WHERE id = \(first)
                UNION ALL
                SELECT job.owner, job.category, job.id, job.\(isDue ? "due" : "id") FROM queue
                JOIN job ON job.id = coalesce(\(sameOwner), \(nextOwner))
            ) SELECT owner, category, first FROM queue\(isDue ? " WHERE due <= ?2" : "")
            """
    }

    private func queues(_ priority: JobPriority) throws -> [Queue] {
        guard let waiting = waiting[priority], waiting.isReady else { return [] }
        let available = waiting.isAvailable ? try queues(priority, isDue: false) : []
        guard waiting.isDue else { return available }
        let known = Set(available.map(\.holder))
        return try available + queues(priority, isDue: true).filter { !known.contains($0.holder) }
    }

    private func queues(_ priority: JobPriority, isDue: Bool) throws -> [Queue] {
        let arguments: StatementArguments =
            isDue ? [priority.rawValue, transaction.now.boot] : [priority.rawValue]
        return try transaction.rows(Self.queuesQuery(isDue: isDue), arguments).compactMap { row in
            guard !held.categories.contains(row[1]) else { return nil }
            return Queue(
                priority: priority,
                holder: LaneShares.Holder(owner: row[0], category: CategoryID(rawValue: row[1])),
                first: row[2], isOnlyDue: isDue)
        }
    }

    private func first(_ queue: Queue) throws -> Candidate? {
        let available = queue.isOnlyDue ? nil : try first(queue, isDue: false)
        guard available == nil, waiting[queue.priority]?.isDue == true else { return available }
        return try first(queue, isDue: true)
    }

    private func first(_ queue: Queue, isDue: Bool) throws -> Candidate? {
        let time: StatementArguments = isDue ? [transaction.now.boot] : []
        let place: StatementArguments = [
            queue.priority.rawValue, queue.holder.owner, queue.holder.category.rawValue,
        ]
        let sql = Self.query(isDue: isDue, where: held.condition)
        return try transaction.row(sql, time + place + held.arguments).map { row in
            (
                job: try JobRow(row), seen: row[JobRow.width],
                source: try SourceRow(row, from: JobRow.width + 1), holder: queue.holder
            )
        }
    }
}

/// The jobs that wait with one priority.
struct WaitingJobs {
    /// Whether one may start, whatever the time.
    var isAvailable: Bool
    /// Whether the waiting time of another is over.
    var isDue: Bool
    /// When the waiting time of the next ends; `nil` if none has one.
    var nextDue: Int64?

    /// Whether any may start now.
    var isReady: Bool { isAvailable || isDue }
}

extension StoreTransaction {
    /// The waiting jobs by priority, by a few looks at the indices.
    func waitingJobs() throws -> [JobPriority: WaitingJobs] {
        let rows = try rows(
            """
            SELECT level.value, EXISTS (SELECT 1 FROM job INDEXED BY job_available
                    WHERE state = 'available' AND priority = level.value),
                EXISTS (SELECT 1 FROM job INDEXED BY job_due
                    WHERE due <= ?1 AND priority = level.value),
                (SELECT min(due) FROM job INDEXED BY job_due
                    WHERE due > ?1 AND priority = level.value)
            FROM json_each(?2) AS level
            """, [now.boot, "\(JobPriority.allCases.map(\.rawValue))"])
        return Dictionary(
            uniqueKeysWithValues: rows.compactMap { row in
                JobPriority(rawValue: row[0]).map {
                    ($0, WaitingJobs(isAvailable: row[1], isDue: row[2], nextDue: row[3]))
                }
            })
    }

    /// Jobs that are executing: about as many as there are lanes.
    fileprivate func executing() throws -> [JobRow] {
        try rows(
            """
            SELECT \(JobRow.columns) FROM job INDEXED BY job_executing WHERE state = 'executing'
            """
        ).map(JobRow.init)
    }

    /// The reasons that keep jobs from starting now; `absent` are the missing drops. Usually there are none, so that
    /// the index alone finds the next jobs.
    func isPaused() throws -> Bool { try note("paused") == "1" }

    func heldBack() throws -> HeldBack {
        let paused = try rows(
            "SELECT id FROM category INDEXED BY category_paused WHERE paused = 1")
        var held = HeldBack(categories: Set(paused.map { $0[0] }))
        let absent = drops.absent.sorted()
        guard !absent.isEmpty else { return held }
        let marks = absent.map { _ in "?" }.joined(separator: ", ")
        held.condition = " AND source.drop_path NOT IN (\(marks))"
        held.arguments = StatementArguments(absent)
        return held
    }
}

extension ClaimedJob {
    fileprivate init(_ job: JobRow, _ source: SourceRow, age: Int64, names: CategoryNames) {
        self.init(
            id: JobID(rawValue: job.id), source: source.key, version: job.version,
            origin: job.origin, attempt: job.attempt, ageMilliseconds: age,
            category: source.category, categoryNames: names,
            sticker: source.sticker, isLarge: job.priority.isLarge,
            workerFailures: min(job.blame.workerFailures, Blame.workerFailuresMax))
        isWords = job.priority == .words
        isBulk = job.priority > .fresh
        isDrawn = job.priority == .drawn
        isAgain = job.priority == .again
        renewal = job.renewal
    }
}
