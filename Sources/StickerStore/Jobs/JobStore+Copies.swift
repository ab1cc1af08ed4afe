import GRDB
public import StickerModel

extension JobStore {
    /// Whether a picture is there, maybe in another format by now, or missing for so short a time that its sticker is still
    /// published.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    public func isExpected(_ file: SourceKey) throws(StoreError) -> Bool {
        try read { try $0.isExpected(file) }
    }

    /// Tries conflict copies again of which no original is there any more.
    ///
    /// - Returns: how many.
    /// - Throws: `StoreError`; nothing was changed.
    public func releaseCopies() throws(StoreError) -> Int {
        var filter = JobFilter()
        filter.ids = try read { try $0.copiesWithoutOriginal() }
        guard !filter.ids.isEmpty else { return 0 }
        return try retry(filter, isForced: true).requeued.count
    }
}

extension StoreTransaction {
    fileprivate func isExpected(_ file: SourceKey) throws -> Bool {
        guard let source = try source(file) ?? otherFormat(called: file) else { return false }
        if source.isPresent || source.missingSince != nil { return true }
        return try source.key == file && otherFormat(called: file) != nil
    }

    fileprivate func copiesWithoutOriginal() throws -> Set<JobID> {
        let held = try rows(
            """
            SELECT job.id, \(SourceRow.columns) FROM job INDEXED BY job_attention
            JOIN source ON source.id = job.source
            WHERE job.state = 'discarded' AND job.superseded_by IS NULL AND job.reason = ?
            """, [Refusal.Reason.conflictCopy.rawValue])
        var free: Set<JobID> = []
        for row in held {
            let file = try SourceRow(row, from: 1).key
            let originals = ConflictCopy(file.name).map { file.siblings($0.originals) } ?? []
            if try !originals.contains(where: isExpected) { free.insert(JobID(rawValue: row[0])) }
        }
        return free
    }
}
