import GRDB
public import StickerModel

extension JobStore {
    /// Files that were refused because they could not be read, the oldest refusals first.
    ///
    /// - Parameters:
    ///   - last: the last job of the previous page; `nil` for the first page.
    ///   - limit: the largest number of files to return.
    /// - Returns: the files with their jobs.
    /// - Throws: `StoreError` if the database cannot be read.
    public func unreadable(
        after last: JobID? = nil, limit: Int
    ) throws(StoreError) -> [(job: JobID, file: SourceKey)] {
        try read { transaction in
            try transaction.rows(
                """
                SELECT \(SourceRow.columns), job.id AS number FROM job INDEXED BY job_attention
                JOIN source ON source.id = job.source
                WHERE job.reason = ? AND job.state = 'discarded' AND job.superseded_by IS NULL
                    AND job.id > ?
                ORDER BY job.id LIMIT ?
                """, [Refusal.Reason.unreadable.rawValue, last?.rawValue ?? 0, limit]
            ).map { row in
                (job: JobID(rawValue: row["number"]), file: try SourceRow(row).key)
            }
        }
    }
}
