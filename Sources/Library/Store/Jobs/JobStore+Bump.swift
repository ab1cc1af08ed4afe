import GRDB
import StickerModel

extension JobStore {
    /// Moves waiting jobs ahead of bulk jobs. Large ones stay on the lanes for large jobs.
    ///
    /// - Parameters:
    ///   - filter: which jobs.
    ///   - dryRun: whether to change nothing.
    /// - Returns: every unfinished job that `filter` selects, bumped or skipped.
    /// - Throws: `StoreError`; nothing was changed.
    public func bump(
        _ filter: JobFilter, dryRun: Bool = false
    ) throws(StoreError) -> BumpSummary {
        var filter = filter
        filter.states = [.available, .scheduled, .retryable]
        return try write { transaction in
            var summary = BumpSummary()
            for record in try transaction.records(filter, limit: nil) {
                guard let job = try transaction.job(record.id.rawValue) else { continue }
                guard job.priority == .bulk else {
                    summary.skipped.append(.init(job: record, why: job.priority.whyNotBumped))
                    continue
                }
                summary.bumped.append(record)
                guard !dryRun else { continue }
                try transaction.update(job, [("priority", JobPriority.fresh.rawValue)])
            }
            return summary
        }
    }
}

extension JobPriority {
    fileprivate var whyNotBumped: String {
        switch self {
        case .words, .fresh, .bulk: "it goes first already"
        case .large, .drawn: "it takes long"
        case .again, .last: "it failed, and waits until nothing else does"
        }
    }
}

/// The result of bumping jobs.
public struct BumpSummary: Hashable, Sendable, Codable {
    /// Jobs that go first, or would.
    public var bumped: [JobRecord] = []
    /// Jobs left as they are.
    public var skipped: [RetrySummary.Skipped] = []

    /// Creates an empty summary.
    public init() {}
}
