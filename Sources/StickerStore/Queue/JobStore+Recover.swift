import GRDB
import StickerModel

/// What was set right at start.
public struct Recovery: Hashable, Sendable {
    /// Jobs that were executing when the daemon died.
    public var rescued = 0
    /// Jobs that waited for their file or for another attempt.
    public var waiting = 0
    /// Jobs ready to be claimed.
    public var available = 0
}

extension JobStore {
    /// Sets the books right after a stop of whatever kind; the daemon calls it once, before all else.
    ///
    /// Jobs that were executing can be claimed again and the attempt does not count, and files settle
    /// anew. The grace of missing files goes on; where the clock that it is measured by started anew
    /// it lasts longer, never shorter.
    ///
    /// - Parameter wasKilled: whether the daemon died rather than stopped; `nil` where `noteStop` tells.
    ///   A job that was executing at two deaths runs last and alone.
    /// - Returns: what was found.
    /// - Throws: `StoreError`.
    public func recover(wasKilled: Bool? = nil) throws(StoreError) -> Recovery {
        try write { transaction in
            var recovery = Recovery()
            let hasStopped = try transaction.note("stopped") == "1"
            recovery.rescued = try transaction.rescue(wasKilled: wasKilled ?? !hasStopped)
            try transaction.setNote("stopped", "0")
            recovery.waiting = try transaction.settleAnew()
            try transaction.run(
                "UPDATE source SET missing_since = ?1 WHERE missing_since > ?1",
                [transaction.now.boot])
            recovery.available = try transaction.count(
                "SELECT count(*) FROM job WHERE state = 'available'")
            return recovery
        }
    }

    /// Notes that the daemon stops as it should; what it could not finish is not to blame.
    ///
    /// - Throws: `StoreError`; then the stop counts as a death.
    public func noteStop() throws(StoreError) { try write { try $0.setNote("stopped", "1") } }
}

extension StoreTransaction {
    fileprivate func rescue(wasKilled: Bool) throws -> Int {
        let executing = try rows(
            "SELECT \(JobRow.columns) FROM job WHERE state = 'executing' ORDER BY id"
        ).map(JobRow.init)
        for var job in executing {
            try update(job, [("seen", now.boot), ("waiting_since", now.boot)])
            let newer: Int64? = try value("SELECT superseded_by FROM job WHERE id = ?", [job.id])
            guard newer == nil else {
                let reason = CancelReason.superseded.rawValue
                try move(&job, .cancelled, [("reason", reason)])
                continue
            }
            try move(&job, .rescued)
            guard wasKilled else { continue }
            try run(
                """
                UPDATE job SET deaths = deaths + 1,
                    priority = CASE WHEN deaths >= 1 THEN ? ELSE priority END WHERE id = ?
                """, [JobPriority.last.rawValue, job.id])
        }
        return executing.count
    }

    /// Waiting jobs in one statement each kind, as there may be a hundred thousand: the changes are
    /// those of the events `sighted` and `due`.
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
