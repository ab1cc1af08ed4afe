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

    /// Tries conflict copies again of which no original is there any more, and says of others what their originals are
    /// called now.
    ///
    /// - Returns: how many are tried.
    /// - Throws: `StoreError`; nothing was changed.
    public func releaseCopies() throws(StoreError) -> Int {
        let (free, renamed) = try read { try $0.changedCopies() }
        if !renamed.isEmpty {
            try write { transaction in
                for (job, refusal) in renamed {
                    try transaction.run(
                        "UPDATE job SET refusal = ? WHERE id = ?",
                        [try StoredJSON.text(refusal), job.rawValue])
                }
            }
        }
        guard !free.isEmpty else { return 0 }
        var filter = JobFilter()
        filter.ids = free
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

    /// The held copies without an original, and those of which something else is true than they say.
    fileprivate func changedCopies() throws -> (free: Set<JobID>, renamed: [JobID: Refusal]) {
        let held = try rows(
            """
            SELECT job.id, job.refusal, \(SourceRow.columns) FROM job INDEXED BY job_attention
            JOIN source ON source.id = job.source
            WHERE job.state = 'discarded' AND job.superseded_by IS NULL AND job.reason = ?
            """, [Refusal.Reason.conflictCopy.rawValue])
        var (free, renamed): (Set<JobID>, [JobID: Refusal]) = ([], [:])
        for row in held {
            let (job, file) = (JobID(rawValue: row[0]), try SourceRow(row, from: 2).key)
            let originals = ConflictCopy(file.name).map { file.siblings($0.originals) } ?? []
            var found: (SourceKey, SourceKey)?
            for original in originals where found == nil {
                found = try expected(original).map { (original, $0) }
            }
            guard let (original, present) = found else {
                free.insert(job)
                continue
            }
            let refusal = Refusal.conflictCopy(of: original, now: present)
            if try StoredJSON.text(refusal) != row[1] as String? { renamed[job] = refusal }
        }
        return (free, renamed)
    }
}
