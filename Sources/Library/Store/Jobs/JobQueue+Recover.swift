import GRDB
import StickerConfiguration
public import StickerSystem
import StickerValues
import Synchronization

/// Repairs at startup.
public struct Recovery: Hashable, Sendable {
    /// Jobs that were executing when the daemon ended.
    public var rescued = 0
    /// Jobs that waited for their file or for another attempt.
    public var waiting = 0
    /// Jobs ready to be claimed.
    public var available = 0
    /// Files held because the daemon crashed too often while reading them.
    public var held: [RefusedFile] = []
}

extension JobQueue {
    /// Repairs the database after a stop of any kind; the daemon calls it once, before anything else.
    ///
    /// Jobs that were executing can be claimed again without counting the attempt, and files have to settle again. The
    /// grace of missing files continues; if the clock that measures it was reset, the grace lasts longer, never
    /// shorter.
    ///
    /// A death from outside blames no file. After a crash, the file that the crashed thread was reading is read last
    /// and alone; at the third crash it is held: its sticker stays as it is.
    ///
    /// - Parameter crash: the reading of the crashed thread; `nil` if the daemon ended otherwise.
    /// - Returns: the repairs.
    /// - Throws: `StoreError`.
    public func recover(after crash: Reading? = nil) throws(StoreError) -> Recovery {
        try write { transaction in
            let aliveUntil = try transaction.aliveUntil()
            connection.drops.withLock { $0.aliveUntil = aliveUntil }
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

    /// Counts a crash against a file without a job; `recover` counts those of jobs. The daemon calls it before it reads
    /// anything.
    ///
    /// - Parameter crash: the reading of the crashed thread.
    /// - Throws: `StoreError`.
    public func note(_ crash: Reading) throws(StoreError) {
        try write { transaction in
            switch crash {
            case .job: break
            case .output(let output):
                // Its faults stay unknown.
                try transaction.run(
                    "UPDATE output SET faults = '' WHERE id = ? AND faults IS NULL", [output])
            case .file(let mark):
                try transaction.run(
                    """
                    INSERT INTO crashed_file (mark, crashes) VALUES (?, 1)
                    ON CONFLICT (mark) DO UPDATE SET crashes = crashes + 1
                    """, [mark])
            }
        }
    }

    /// Whether a file without a job is not to be read because the daemon crashed on it too often.
    ///
    /// - Parameter mark: its mark.
    /// - Returns: false again after `retry`, and with another release.
    /// - Throws: `StoreError` if the database cannot be read.
    public func isAvoided(_ mark: Int64) throws(StoreError) -> Bool {
        try read { transaction in
            try transaction.row(
                "SELECT 1 FROM crashed_file WHERE mark = ? AND crashes >= ?",
                [mark, Blame.crashesMax]) != nil
        }
    }
}

extension StoreTransaction {
    private static let releaseNote = "release"

    /// Notes when this release began to work.
    func noteRelease() throws {
        let version = Stickerd.version
        guard try note(Self.releaseNote)?.hasPrefix("\(version) ") != true else { return }
        // It may be able to read them.
        try run("DELETE FROM crashed_file")
        try setNote(Self.releaseNote, "\(version) \(now.wall)")
    }

    /// When this release first ran, in milliseconds since 1970.
    func releaseBegan() throws -> Int64 {
        let began = try note(Self.releaseNote)?.split(separator: " ")
        guard let began, began.first == Stickerd.version[...] else { return .max }
        return began.last.flatMap { Int64($0) } ?? .max
    }

    /// Makes jobs that were executing available again. A job whose file was being read at a crash is charged with it,
    /// or held after too many.
    fileprivate func rescue(after crash: Reading?, _ recovery: inout Recovery) throws {
        let executing = try rows(
            """
            SELECT \(JobRow.columns) FROM job INDEXED BY job_executing
            WHERE state = 'executing' ORDER BY id
            """
        ).map(JobRow.init)
        for var job in executing {
            let isGuilty = crash == .job(job.id)
            if isGuilty { try addCrash(to: &job) }
            let isTooMuch = job.blame.crashes >= Blame.crashesMax
            try update(job, [("seen", now.boot), ("waiting_since", now.boot)])
            let newer: Int64? = try value("SELECT superseded_by FROM job WHERE id = ?", [job.id])
            if let newer {
                let heir = try self.job(newer)
                if let heir { try inherit(job.blame, of: job, heir) }
                let reason = CancelReason.superseded.rawValue
                try move(&job, .cancelled, [("reason", reason)])
                // Touching the file repeatedly does not clear it.
                guard isGuilty, isTooMuch, var heir, !heir.state.isFinal,
                    heir.version.size == job.version.size
                else { continue }
                heir.blame.crashes = job.blame.crashes
                try update(heir, heir.blame.assignments)
                recovery.held.append(try hold(&heir))
            } else if isGuilty, isTooMuch {
                recovery.held.append(try hold(&job))
            } else {
                let priority = max(job.priority, job.blame.priority)
                try move(&job, .rescued, [("priority", priority.rawValue)])
            }
        }
        recovery.rescued = executing.count
    }

    private func addCrash(to job: inout JobRow) throws {
        job.blame.crashes += 1
        try update(job, job.blame.assignments)
        let detail =
            "the daemon crashed while it read this file: crash \(job.blame.crashes) of"
            + " \(Blame.crashesMax)"
            + (job.blame.crashes < Blame.crashesMax
                ? "; it is read last and alone from now on" : "")
        try addToLog(of: job, StepEntry("crash", milliseconds: 0, detail))
    }

    /// Holds a job that crashed the daemon too often.
    private func hold(_ job: inout JobRow) throws -> RefusedFile {
        guard let source = try source(job.source) else {
            throw StoreError(.damaged, "job \(job.id) has no file" + StoreError.rebuildHint)
        }
        let refusal = Refusal.crashing(
            "held: stickerd crashed each time it read the file; a sticker of it stays as it is",
            job.blame.crashes,
            remedy: "save the picture again with another program; after an update of stickerd:"
                + " \(stickerctl: "retry \(job.id)")")
        let outcome: [Assignment] = [
            ("reason", refusal.reason.rawValue), ("refusal", try StoredJSON.text(refusal)),
        ]
        if job.state == .executing {
            try move(&job, .refused, outcome)
        } else {
            // No event leads there from waiting: no worker has read it.
            let ending: [Assignment] = [
                ("state", JobState.discarded.rawValue), ("due", nil), ("finished_at", now.wall),
            ]
            try update(job, ending + outcome)
        }
        return RefusedFile(
            job: JobID(rawValue: job.id), source: source.key, category: source.category,
            refusal: refusal)
    }

    /// Handles waiting jobs in one statement for each kind, as there may be a hundred thousand: the changes are those
    /// of the events `sighted` and `due`.
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
    /// The refusal of a file whose every reading crashed the daemon.
    static func crashing(_ detail: String, _ crashes: Int, remedy: String) -> Refusal {
        Refusal(
            .daemonCrashed, detail, measured: crashes.counted("crash", "crashes"),
            limit: "\(Blame.crashesMax - 1) crashes", remedy: remedy)
    }
}
