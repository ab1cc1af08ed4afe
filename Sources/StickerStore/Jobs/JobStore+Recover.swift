import GRDB
import StickerModel
public import StickerSystem

/// What was repaired at startup.
public struct Recovery: Hashable, Sendable {
    /// Jobs that were executing when the daemon ended.
    public var rescued = 0
    /// Jobs that waited for their file or for another attempt.
    public var waiting = 0
    /// Jobs ready to be claimed.
    public var available = 0
    /// Files that are held because the daemon crashed too often while it read them.
    public var held: [RefusedFile] = []
    /// The marks of files without a picture's name that the daemon is not to read: it crashed too often while it did.
    public var avoided: Set<Int64> = []
}

extension JobStore {
    /// Repairs the database after a stop of any kind; the daemon calls it once, before anything else.
    ///
    /// Jobs that were executing can be claimed again without the attempt counting, and files have to settle
    /// again. The grace of missing files continues; if the clock that measures it was reset, the grace
    /// lasts longer, never shorter.
    ///
    /// A death from outside blames no file. After a crash of its own, the file that the crashed thread was reading is read
    /// last and alone; at the third crash it is held: its sticker stays as it is.
    ///
    /// - Parameter crash: what the thread was reading that crashed; `nil` if the daemon ended otherwise.
    /// - Returns: what was found.
    /// - Throws: `StoreError`.
    public func recover(after crash: Reading? = nil) throws(StoreError) -> Recovery {
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
            recovery.avoided = try transaction.avoidedFiles()
            recovery.available = try transaction.count(
                "SELECT jobs FROM tally WHERE state = 'available'")
            return recovery
        }
    }
}

extension StoreTransaction {
    /// Makes jobs that were executing available again; one that was read at a crash is charged with it, or held if there
    /// were too many.
    fileprivate func rescue(
        after crash: Reading?, _ recovery: inout Recovery
    ) throws {
        switch crash {
        case .output(let output):
            // What faults it has stays unknown.
            try run("UPDATE output SET faults = '' WHERE id = ? AND faults IS NULL", [output])
        case .file(let mark):
            try run(
                """
                INSERT INTO crashed_file (mark, crashes) VALUES (?, 1)
                ON CONFLICT (mark) DO UPDATE SET crashes = crashes + 1
                """, [mark])
        case .job, nil: break
        }
        let executing = try rows(
            """
            SELECT \(JobRow.columns) FROM job INDEXED BY job_executing
            WHERE state = 'executing' ORDER BY id
            """
        ).map(JobRow.init)
        for var job in executing {
            let isGuilty = crash == .job(job.id)
            if isGuilty { try addCrash(to: &job) }
            try update(job, [("seen", now.boot), ("waiting_since", now.boot)])
            let newer: Int64? = try value("SELECT superseded_by FROM job WHERE id = ?", [job.id])
            if let newer {
                if let heir = try self.job(newer) { try inherit(job.blame, of: job, heir) }
                let reason = CancelReason.superseded.rawValue
                try move(&job, .cancelled, [("reason", reason)])
            } else if isGuilty, job.blame.crashes >= Blame.crashesMax {
                recovery.held.append(try hold(&job))
            } else {
                let priority = max(job.priority, job.blame.priority)
                try move(&job, .rescued, [("priority", priority.rawValue)])
            }
        }
        recovery.rescued = executing.count
    }

    fileprivate func avoidedFiles() throws -> Set<Int64> {
        Set(
            try rows(
                "SELECT mark FROM crashed_file WHERE crashes >= ?", [Blame.crashesMax]
            ).map { $0[0] })
    }

    private func addCrash(to job: inout JobRow) throws {
        job.blame.crashes += 1
        try update(job, job.blame.assignments)
        let detail =
            "the daemon crashed while it read this file: crash \(job.blame.crashes) of"
            + " \(Blame.crashesMax); it is read last and alone"
        try addToLog(of: job, StepEntry("crash", milliseconds: 0, detail))
    }

    /// Holds a job with which the daemon crashed too often.
    private func hold(_ job: inout JobRow) throws -> RefusedFile {
        guard let source = try source(job.source) else {
            throw StoreError(.damaged, "job \(job.id) has no file" + StoreError.rebuildHint)
        }
        let refusal = Refusal.crashing(
            job.blame.crashes, remedy: "after an update of stickerd: stickerctl retry \(job.id)")
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
    /// The daemon crashed each time that it read a file.
    static func crashing(_ crashes: Int = Blame.crashesMax, remedy: String) -> Refusal {
        Refusal(
            .daemonCrashed,
            "held: stickerd crashed each time it read the file, even alone; a sticker of it stays as it is",
            measured: crashes.counted("crash", "crashes"), limit: "\(Blame.crashesMax - 1) crashes",
            remedy: "save the picture again with another program; \(remedy)")
    }
}
