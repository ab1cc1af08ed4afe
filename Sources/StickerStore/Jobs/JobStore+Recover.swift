import GRDB
public import StickerModel

/// What was repaired at startup.
public struct Recovery: Hashable, Sendable {
    /// Jobs that were executing when the daemon died.
    public var rescued = 0
    /// Jobs that waited for their file or for another attempt.
    public var waiting = 0
    /// Jobs ready to be claimed.
    public var available = 0
    /// Files that are refused because the daemon died while working on them too often.
    public var refused: [RefusedFile] = []
}

extension JobStore {
    /// Repairs the database after a stop of any kind; the daemon calls it once, before anything else.
    ///
    /// Jobs that were executing can be claimed again without the attempt counting, and files have to settle
    /// again. The grace of missing files continues; if the clock that measures it was reset, the grace
    /// lasts longer, never shorter.
    ///
    /// A job that was running at two deaths of the daemon runs last and alone. If the daemon dies again
    /// then, the job is refused.
    ///
    /// - Parameters:
    ///   - wasKilled: whether the daemon died instead of stopping; `nil` to decide by `noteStop`.
    ///   - running: the jobs that were actually running, from `RunningJobs`; `nil` blames every job that
    ///     was claimed.
    ///     claimed.
    /// - Returns: what was found.
    /// - Throws: `StoreError`.
    public func recover(
        wasKilled: Bool? = nil, running: Set<JobID>? = nil
    ) throws(StoreError) -> Recovery {
        try write { transaction in
            try transaction.noteRelease()
            var recovery = Recovery()
            let hasStopped = try transaction.note("stopped") == "1"
            try transaction.rescue(
                Culprits(wasKilled: wasKilled ?? !hasStopped, running: running), &recovery)
            try transaction.setNote("stopped", "0")
            recovery.waiting = try transaction.settleAnew()
            try transaction.run(
                """
                UPDATE source INDEXED BY source_missing
                SET missing_since = ?1, vanished_at = min(vanished_at, ?1) WHERE missing_since > ?1
                """, [transaction.now.boot])
            recovery.available = try transaction.count(
                "SELECT jobs FROM tally WHERE state = 'available'")
            return recovery
        }
    }

    /// Records that the daemon stops properly; jobs that it could not finish are not to blame.
    ///
    /// - Throws: `StoreError`; the stop then counts as a death.
    public func noteStop() throws(StoreError) { try write { try $0.setNote("stopped", "1") } }
}

extension StoreTransaction {
    /// Makes jobs that were executing available again; those of `culprits` are charged with a death, or
    /// refused if there were too many.
    fileprivate func rescue(_ culprits: Culprits, _ recovery: inout Recovery) throws {
        let executing = try rows(
            """
            SELECT \(JobRow.columns) FROM job INDEXED BY job_executing
            WHERE state = 'executing' ORDER BY id
            """
        ).map(JobRow.init)
        for var job in executing {
            if culprits.contains(job) { try addDeath(to: &job) }
            try update(job, [("seen", now.boot), ("waiting_since", now.boot)])
            let newer: Int64? = try value("SELECT superseded_by FROM job WHERE id = ?", [job.id])
            if let newer {
                if let heir = try self.job(newer) { try inherit(job.blame, of: job, heir) }
                let reason = CancelReason.superseded.rawValue
                try move(&job, .cancelled, [("reason", reason)])
            } else if job.blame.deaths > Blame.deathsMax {
                recovery.refused.append(try refuse(&job))
            } else {
                let priority = max(job.priority, job.blame.priority)
                try move(&job, .rescued, [("priority", priority.rawValue)])
            }
        }
        recovery.rescued = executing.count
    }

    private func addDeath(to job: inout JobRow) throws {
        job.blame.deaths += 1
        try update(job, job.blame.assignments)
        let detail = "the daemon died while this was running: death \(job.blame.deaths)"
        try addToLog(of: job, StepEntry("death", milliseconds: 0, detail))
    }

    /// Refuses a job with which the daemon died even while it ran alone.
    private func refuse(_ job: inout JobRow) throws -> RefusedFile {
        guard let source = try source(job.source) else {
            throw StoreError(.damaged, "job \(job.id) has no file" + StoreError.rebuildHint)
        }
        let refusal = Refusal.deadly(deaths: job.blame.deaths, job: job.id)
        try move(
            &job, .refused,
            [
                ("reason", refusal.reason.rawValue), ("refusal", try StoredJSON.text(refusal)),
            ])
        return RefusedFile(
            job: JobID(rawValue: job.id), source: source.key, category: source.category,
            refusal: refusal)
    }

    /// Handles waiting jobs in one statement for each kind, as there may be a hundred thousand: the changes
    /// are those of the events `sighted` and `due`.
    fileprivate func settleAnew() throws -> Int {
        let settle = policy.settle.milliseconds
        let scheduled = try run(
            """
            UPDATE job SET due = ?1 + ?2, seen = ?1, waiting_since = ?1
            WHERE due IS NOT NULL AND state = 'scheduled'
            """, [now.boot, settle])
        let retryable = try run(
            """
            UPDATE job SET state = 'available', due = NULL, seen = ?1, waiting_since = ?1
            WHERE due IS NOT NULL AND state = 'retryable'
            """, [now.boot])
        try run(
            "UPDATE job SET seen = ?1, waiting_since = ?1 WHERE state = 'available' AND seen > ?1",
            [now.boot])
        return scheduled + retryable
    }
}

/// The jobs that are blamed for a death of the daemon.
private enum Culprits {
    case none, all
    case these(Set<JobID>)

    init(wasKilled: Bool, running: Set<JobID>?) {
        self = !wasKilled ? .none : running.map { .these($0) } ?? .all
    }

    func contains(_ job: JobRow) -> Bool {
        switch self {
        case .none: false
        case .all: true
        case .these(let jobs): jobs.contains(JobID(rawValue: job.id))
        }
    }
}

extension Refusal {
    /// The daemon died while working on a file, even while nothing else ran.
    fileprivate static func deadly(deaths: Int, job: Int64) -> Refusal {
        Refusal(
            .decoderCrashed,
            "the daemon died each time it worked on the file, even with no other job running",
            measured: "\(deaths) deaths of the daemon",
            limit: "\(Blame.deathsMax) deaths of the daemon",
            remedy: "save the picture again with another program; if it is not the picture:"
                + " stickerctl retry \(job)")
    }
}
