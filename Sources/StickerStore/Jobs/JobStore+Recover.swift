import GRDB
import StickerModel

/// What was repaired at startup.
public struct Recovery: Hashable, Sendable {
    /// Jobs that were executing when the daemon ended.
    public var rescued = 0
    /// Jobs that waited for their file or for another attempt.
    public var waiting = 0
    /// Jobs ready to be claimed.
    public var available = 0
    /// Files that are held because the daemon crashed while it read them alone, too often.
    public var held: [RefusedFile] = []
}

extension JobStore {
    /// Repairs the database after a stop of any kind; the daemon calls it once, before anything else.
    ///
    /// Jobs that were executing can be claimed again without the attempt counting, and files have to settle
    /// again. The grace of missing files continues; if the clock that measures it was reset, the grace
    /// lasts longer, never shorter.
    ///
    /// A death from outside blames no file. After a crash of its own, the files that the daemon was reading are read last
    /// and alone; one with which it crashes three times while it reads that file alone is held: its sticker stays as it is.
    ///
    /// - Parameter crash: what the daemon was reading when it crashed; `nil` if it ended otherwise.
    /// - Returns: what was found.
    /// - Throws: `StoreError`.
    public func recover(after crash: RunningJobs.Crash? = nil) throws(StoreError) -> Recovery {
        try write { transaction in
            try transaction.noteRelease()
            var recovery = Recovery()
            try transaction.rescue(after: crash, &recovery)
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
}

extension StoreTransaction {
    /// Makes jobs that were executing available again; those that were read at a crash are charged with it, or held if
    /// there were too many.
    fileprivate func rescue(
        after crash: RunningJobs.Crash?, _ recovery: inout Recovery
    ) throws {
        // What faults they have stays unknown.
        for output in crash?.outputs ?? [] {
            try run("UPDATE output SET faults = '' WHERE id = ? AND faults IS NULL", [output])
        }
        let executing = try rows(
            """
            SELECT \(JobRow.columns) FROM job INDEXED BY job_executing
            WHERE state = 'executing' ORDER BY id
            """
        ).map(JobRow.init)
        for var job in executing {
            let id = JobID(rawValue: job.id)
            if let crash, crash.jobs.contains(id) {
                try addCrash(to: &job, isAlone: crash.isAlone(id))
            }
            try update(job, [("seen", now.boot), ("waiting_since", now.boot)])
            let newer: Int64? = try value("SELECT superseded_by FROM job WHERE id = ?", [job.id])
            if let newer {
                if let heir = try self.job(newer) { try inherit(job.blame, of: job, heir) }
                let reason = CancelReason.superseded.rawValue
                try move(&job, .cancelled, [("reason", reason)])
            } else if job.blame.crashes >= Blame.crashesMax {
                recovery.held.append(try hold(&job))
            } else {
                let priority = max(job.priority, job.blame.priority)
                try move(&job, .rescued, [("priority", priority.rawValue)])
            }
        }
        recovery.rescued = executing.count
    }

    private func addCrash(to job: inout JobRow, isAlone: Bool) throws {
        job.blame.addCrash(isAlone: isAlone)
        try update(job, job.blame.assignments)
        let detail =
            isAlone
            ? "the daemon crashed while it read this file alone: crash \(job.blame.crashes) of \(Blame.crashesMax)"
            : "the daemon crashed while it read this file and others; it is read alone from now on"
        try addToLog(of: job, StepEntry("crash", milliseconds: 0, detail))
    }

    /// Holds a job with which the daemon crashed even while it read nothing else.
    private func hold(_ job: inout JobRow) throws -> RefusedFile {
        guard let source = try source(job.source) else {
            throw StoreError(.damaged, "job \(job.id) has no file" + StoreError.rebuildHint)
        }
        let refusal = Refusal.crashing(job.blame.crashes, job: job.id)
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

extension Refusal {
    /// The daemon crashed while it read a file, even while it read nothing else.
    fileprivate static func crashing(_ crashes: Int, job: Int64) -> Refusal {
        Refusal(
            .daemonCrashed,
            "held: stickerd crashed each time it read the file, even alone; a sticker of it stays as it is",
            measured: crashes.counted("crash", "crashes"), limit: "\(Blame.crashesMax - 1) crashes",
            remedy: "save the picture again with another program; after an update of stickerd:"
                + " stickerctl retry \(job)")
    }
}
