import GRDB
import StickerModel

/// The result of dismissing jobs.
public struct DismissSummary: Hashable, Sendable, Codable {
    /// Jobs that were dismissed, or would be.
    public var dismissed: [JobRecord] = []
    /// Jobs left as they are.
    public var skipped: [RetrySummary.Skipped] = []

    /// Creates an empty summary.
    public init() {}
}

extension JobStore {
    /// Removes refused jobs from the list of those that need attention, without another attempt.
    ///
    /// A later change of the file, or `retry`, brings it back.
    ///
    /// - Parameters:
    ///   - filter: which jobs.
    ///   - note: why, for the log of each job.
    ///   - dryRun: whether to change nothing.
    /// - Returns: every job that `filter` selects: dismissed, or skipped because it needs no attention.
    /// - Throws: `StoreError`; nothing was changed.
    public func dismiss(
        _ filter: JobFilter, note: String? = nil, dryRun: Bool = false
    ) throws(StoreError) -> DismissSummary {
        try write { transaction in
            var summary = DismissSummary()
            for record in try transaction.records(filter, limit: nil) {
                guard record.needsAttention else {
                    summary.skipped.append(.init(job: record, why: "it needs no attention"))
                    continue
                }
                summary.dismissed.append(record)
                if !dryRun { try transaction.dismiss(record, note) }
            }
            return summary
        }
    }

    /// Whether an operator dismissed the refusal of a file that is still there unchanged.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    public func hasDismissed() throws(StoreError) -> Bool {
        try read { transaction in
            try transaction.row(
                """
                SELECT 1 FROM job INDEXED BY job_dismissed JOIN source ON source.id = job.source
                WHERE job.state = 'cancelled' AND job.reason = 'dismissed'
                    AND job.superseded_by IS NULL AND source.present = 1
                LIMIT 1
                """) != nil
        }
    }
}

extension StoreTransaction {
    /// Marks the present state of the file as handled, so that no rescan starts over.
    fileprivate func dismiss(_ record: JobRecord, _ note: String?) throws {
        guard var job = try job(record.id.rawValue) else { return }
        try addToLog(of: job, StepEntry("dismiss", milliseconds: 0, note ?? "by an operator"))
        try move(&job, .cancelled, [("reason", CancelReason.dismissed.rawValue)])
        try run("UPDATE source SET applied = 1 WHERE id = ?", [job.source])
    }

    /// Adds an operator's action to the log of a job.
    func addToLog(of job: JobRow, _ entry: StepEntry) throws {
        let text: String? = try value("SELECT log FROM job WHERE id = ?", [job.id])
        var log = try text.map { try StoredJSON.decode(StepLog.self, from: $0) } ?? StepLog()
        log.append(entry)
        try update(job, [("log", try StoredJSON.text(log))])
    }
}
