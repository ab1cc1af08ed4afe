import GRDB
import StickerValues

/// The result of retrying jobs.
public struct RetrySummary: Hashable, Sendable, Codable {
    /// A job left as it is.
    public struct Skipped: Hashable, Sendable, Codable {
        /// The job.
        public var job: JobRecord
        /// Why, in a few words.
        public var why: String
    }

    /// Jobs that are available, or would be.
    public var requeued: [JobRecord] = []
    /// Jobs left as they are.
    public var skipped: [Skipped] = []

    /// Creates an empty summary.
    public init() {}
}

/// The result of dismissing jobs.
public struct DismissSummary: Hashable, Sendable, Codable {
    /// Jobs that were dismissed, or would be.
    public var dismissed: [JobRecord] = []
    /// Jobs left as they are.
    public var skipped: [RetrySummary.Skipped] = []

    /// Creates an empty summary.
    public init() {}
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

extension Operations {
    /// Gives jobs another round of attempts on their files as they are now.
    ///
    /// Refused jobs, and those that wait for another attempt, become available; attempts are counted from 0
    /// again, and earlier errors stay readable in the log. Retrying twice does not create a second job.
    ///
    /// - Parameters:
    ///   - filter: which jobs; `JobFilter.needingAttention` means all that were refused.
    ///   - dryRun: whether to change nothing.
    ///   - isBulk: whether fresh files go first.
    ///   - isForced: whether files are included that will foreseeably be refused again.
    ///   - grant: concessions to the stickers; then only files refused for lack of it are retried.
    ///   - person: who asks for it, for the logs of the jobs; `nil` where nobody has a name.
    /// - Returns: every job that `filter` selects, requeued or skipped.
    /// - Throws: `StoreError`; nothing was changed.
    public func retry(
        _ filter: JobFilter, dryRun: Bool = false, isBulk: Bool = false, isForced: Bool = false,
        granting grant: Grant? = nil, by person: String? = nil
    ) throws(StoreError) -> RetrySummary {
        try write { transaction in
            var summary = RetrySummary()
            for record in try transaction.records(filter, limit: nil) {
                let obstacle = try transaction.obstacle(
                    to: record, isForced: isForced, granting: grant)
                if let obstacle {
                    summary.skipped.append(.init(job: record, why: obstacle))
                } else {
                    summary.requeued.append(record)
                    guard !dryRun else { continue }
                    try transaction.retry(record, isBulk ? .bulk : .fresh, grant, person)
                }
            }
            return summary
        }
    }

    /// Removes refused jobs from the list of those that need attention, without another attempt.
    ///
    /// A later change of the file, or `retry`, brings it back.
    ///
    /// - Parameters:
    ///   - filter: which jobs.
    ///   - note: why, for the log of each job.
    ///   - dryRun: whether to change nothing.
    ///   - person: who does it, for the same log; `nil` where nobody has a name.
    /// - Returns: every job that `filter` selects: dismissed, or skipped because it needs no attention.
    /// - Throws: `StoreError`; nothing was changed.
    public func dismiss(
        _ filter: JobFilter, note: String? = nil, dryRun: Bool = false, by person: String? = nil
    ) throws(StoreError) -> DismissSummary {
        try write { transaction in
            var summary = DismissSummary()
            for record in try transaction.records(filter, limit: nil) {
                guard record.needsAttention else {
                    summary.skipped.append(.init(job: record, why: "it needs no attention"))
                    continue
                }
                summary.dismissed.append(record)
                if !dryRun { try transaction.dismiss(record, note, person) }
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

    /// Moves waiting jobs ahead of bulk jobs. Large ones stay on the lanes for large jobs.
    ///
    /// - Parameters:
    ///   - filter: which jobs.
    ///   - dryRun: whether to change nothing.
    /// - Returns: every unfinished job that `filter` selects, bumped or skipped.
    /// - Throws: `StoreError`; nothing was changed.
    public func bump(_ filter: JobFilter, dryRun: Bool = false) throws(StoreError) -> BumpSummary {
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

extension StoreTransaction {
    /// Lets the next scan examine a file without a picture's name, although the daemon crashed on it.
    private func lookAgain(_ job: inout JobRow, _ source: SourceRow) throws {
        try run(
            "DELETE FROM crashed_file WHERE mark = ?",
            [source.key.mark(size: source.version.size)])
        try move(&job, .cancelled, [("reason", CancelReason.superseded.rawValue)])
    }

    fileprivate func obstacle(
        to record: JobRecord, isForced: Bool, granting grant: Grant?
    ) throws -> String? {
        switch record.state {
        case .available: return "it is waiting already"
        case .executing: return "it is being worked on"
        case .completed: return "it is done"
        case .cancelled where record.reason == CancelReason.dismissed.rawValue: break
        case .cancelled where isForced && record.reason == CancelReason.unknownWeather.rawValue:
            break
        case .cancelled: return "it was cancelled: \(record.reason ?? "no longer needed")"
        case .retryable, .scheduled: return grant == nil ? nil : "it was not refused"
        case .discarded: break
        }
        if let newer = record.supersededBy { return "job \(newer) looks at a newer version" }
        let source =
            try value(
                "SELECT kind FROM source JOIN job ON job.source = source.id WHERE job.id = ?",
                [record.id.rawValue]) as String?
        let isReadable =
            (source != SourceRow.Kind.foreign.rawValue
                || record.reason == Refusal.Reason.daemonCrashed.rawValue)
            && record.reason != Refusal.Reason.notRegularFile.rawValue
        guard isReadable else { return record.refusal?.remedy ?? "no file that is read" }
        if let grant {
            guard let present = try concessions(of: record) else { return "no sticker" }
            guard let granted = grant.added(to: present, record) else {
                return "refused for another reason"
            }
            if granted != present { return nil }
        }
        guard try !isForced && endsAlike(record) else { return nil }
        return "same result expected (--force)"
    }

    /// Whether the file is unchanged since a refusal that only other bytes, other settings or another release can
    /// change. Other settings retry it themselves.
    private func endsAlike(_ record: JobRecord) throws -> Bool {
        guard record.state == .discarded, let reason = record.refusal?.reason, reason.isFinal,
            let ended = record.finishedAt, let job = try job(record.id.rawValue),
            let source = try source(job.source), source.isPresent
        else { return false }
        return try source.version == job.version && ended.milliseconds >= releaseBegan()
    }

    fileprivate func retry(
        _ record: JobRecord, _ priority: JobPriority, _ grant: Grant?, _ person: String?
    ) throws {
        let present = try concessions(of: record) ?? Concessions()
        let granted = grant?.added(to: present, record) ?? present
        if granted != present, let job = try job(record.id.rawValue),
            let source = try source(job.source)
        {
            try self.grant(granted, to: source)
        }
        let by = person.map { " by \($0)" } ?? ""
        try retry(
            record, priority,
            as: "asked for\(by)" + (grant == nil ? "" : ", with \(granted.shown)"))
    }

    /// Gives a job another round of attempts; its log tells the demand.
    func retry(_ record: JobRecord, _ priority: JobPriority, as demand: String) throws {
        guard var job = try job(record.id.rawValue) else { return }
        let source = try source(job.source)
        if let source, source.kind == .foreign { return try lookAgain(&job, source) }
        let priority = source.flatMap { SideFile($0.key) } == nil ? priority : .words
        let before = record.refusal.map { "\($0.reason.rawValue): \($0.detail)" }
        try addToLog(
            of: job,
            StepEntry(
                "retry", milliseconds: 0,
                "\(demand); before: \(before ?? job.state.rawValue)"))
        try move(
            &job, .retried,
            [
                ("refusal", nil), ("reason", nil), ("priority", priority.rawValue),
                ("seen", now.boot), ("waiting_since", now.boot),
            ] + Blame.none.assignments)
        // A dismissed file counted as handled.
        guard record.state == .cancelled else { return }
        try run("UPDATE source SET applied = 0 WHERE id = ?", [job.source])
    }

    /// Marks the present state of the file as handled, so that no rescan starts over.
    fileprivate func dismiss(_ record: JobRecord, _ note: String?, _ person: String?) throws {
        guard var job = try job(record.id.rawValue) else { return }
        let by = "by \(person ?? "an operator")"
        let detail = note.map { person == nil ? $0 : "\(by): \($0)" } ?? by
        try addToLog(of: job, StepEntry("dismiss", milliseconds: 0, detail))
        try move(&job, .cancelled, [("reason", CancelReason.dismissed.rawValue)])
        try run("UPDATE source SET applied = 1 WHERE id = ?", [job.source])
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
