import GRDB
import StickerValues

extension Operations {
    /// Queues conflict copies again whose original is gone, and updates the original's name in the refusals of others.
    ///
    /// - Returns: how many were queued.
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
    /// The held copies without an original, and those whose refusal is out of date.
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
