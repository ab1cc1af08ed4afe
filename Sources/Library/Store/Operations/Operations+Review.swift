public import StickerValues

extension Operations {
    /// Publishes stickers that wait for review: an editor has seen them.
    ///
    /// - Parameters:
    ///   - filter: which jobs.
    ///   - person: who does it; `nil` where nobody has a name.
    ///   - dryRun: whether to change nothing.
    /// - Returns: every job that `filter` selects: requeued, or skipped because it does not wait for that.
    /// - Throws: `StoreError`; nothing was changed.
    public func publish(
        _ filter: JobFilter, by person: String? = nil, dryRun: Bool = false
    ) throws(StoreError) -> RetrySummary {
        try write { transaction in
            var summary = RetrySummary()
            for record in try transaction.records(filter, limit: nil) {
                guard record.awaitsReview, let content = record.content else {
                    let why = "it does not wait for review"
                    summary.skipped.append(.init(job: record, why: why))
                    continue
                }
                summary.requeued.append(record)
                guard !dryRun else { continue }
                try transaction.approve(content, for: record.category, by: person)
                try transaction.retry(
                    record, .fresh, as: "published by \(person ?? "an editor")")
                let source = try transaction.job(record.id.rawValue)
                    .flatMap { try transaction.source($0.source) }
                try transaction.note(
                    NewChange("published it after review", of: source.map { [$0.key] } ?? []),
                    by: person)
            }
            return summary
        }
    }

    /// Lets the category of a file publish a picture that an editor adds there.
    ///
    /// - Parameters:
    ///   - content: the hash of the picture.
    ///   - file: where it will be.
    ///   - person: who adds it; `nil` where nobody has a name.
    /// - Throws: `StoreError`; nothing was changed.
    public func approve(
        _ content: ContentHash, at file: SourceKey, by person: String?
    ) throws(StoreError) {
        try write { try $0.approve(content, for: $0.category(of: file), by: person) }
    }

    /// The jobs whose stickers wait for review.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    public func jobsInReview() throws(StoreError) -> Set<JobID> {
        var filter = JobFilter()
        (filter.needingAttention, filter.reason) = (true, Refusal.Reason.needsReview.rawValue)
        return Set(try jobs(filter, limit: nil).map(\.id))
    }
}

extension JobRecord {
    /// Whether its sticker is made, and an editor must publish it.
    public var awaitsReview: Bool {
        needsAttention && refusal?.reason == .needsReview
    }
}
