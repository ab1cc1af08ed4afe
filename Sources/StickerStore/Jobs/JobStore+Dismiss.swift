import GRDB
import StickerModel

/// What became of the jobs that an operator wanted off the list.
public struct DismissSummary: Hashable, Sendable, Codable {
    /// Jobs that are off the list, or would be.
    public var dismissed: [JobRecord] = []
    /// Jobs that were left as they are.
    public var skipped: [RetrySummary.Skipped] = []

    /// Nothing.
    public init() {}
}

extension JobStore {
    /// Takes refused jobs off the list of those that need attention, without another try.
    ///
    /// A later change of the file brings it back, and so does `retry`.
    ///
    /// - Parameters:
    ///   - filter: which jobs.
    ///   - note: why, for the log of each job.
    ///   - dryRun: only say what would happen.
    /// - Returns: every job that was meant: taken off, or skipped because it needs no attention.
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
}

extension StoreTransaction {
    /// The file counts as dealt with in its present state, so that no rescan begins anew.
    fileprivate func dismiss(_ record: JobRecord, _ note: String?) throws {
        guard var job = try job(record.id.rawValue) else { return }
        try addToLog(of: job, StepEntry("dismiss", milliseconds: 0, note ?? "by an operator"))
        try move(&job, .cancelled, [("reason", CancelReason.dismissed.rawValue)])
        try run("UPDATE source SET applied = 1 WHERE id = ?", [job.source])
    }

    /// Adds what an operator did to the log of a job.
    func addToLog(of job: JobRow, _ entry: StepEntry) throws {
        let text: String? = try value("SELECT log FROM job WHERE id = ?", [job.id])
        var log = try text.map { try StoredJSON.decode(StepLog.self, from: $0) } ?? StepLog()
        log.append(entry)
        try update(job, [("log", try StoredJSON.text(log))])
    }
}
