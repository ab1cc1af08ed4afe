import GRDB
public import StickerModel

extension JobStore {
    /// The present name of a picture that is there, maybe in another format by now, or missing for so short a time that its
    /// sticker is still published; `nil` if it is not.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    public func expected(_ file: SourceKey) throws(StoreError) -> SourceKey? {
        try read { try $0.expected(file) }
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
    fileprivate func expected(_ file: SourceKey) throws -> SourceKey? {
        if let source = try source(file), source.isPresent || source.missingSince != nil {
            return file
        }
        return try otherFormat(called: file)?.key
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
            if try !originals.contains(where: { try expected($0) != nil }) {
                free.insert(JobID(rawValue: row[0]))
            }
        }
        return free
    }
}
