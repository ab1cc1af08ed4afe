import GRDB
public import StickerValues

extension Operations {
    /// Jobs that ended at this time or later, in the order in which they ended.
    ///
    /// - Parameters:
    ///   - time: the earliest end.
    ///   - id: among jobs that ended at exactly this time, only those with a higher number; `nil` for all.
    ///   - limit: the largest number of jobs to return.
    /// - Returns: their records.
    /// - Throws: `StoreError` if the database cannot be read.
    public func jobs(
        endedSince time: Timestamp, after id: JobID? = nil, limit: Int
    ) throws(StoreError) -> [JobRecord] {
        try read { transaction in
            try transaction.records(
                where: ["job.finished_at >= ?", "(job.finished_at, job.id) > (?, ?)"],
                [time.milliseconds, time.milliseconds, id?.rawValue ?? 0],
                limit: limit, order: "job.finished_at, job.id")
        }
    }

    /// The last ended jobs, newest first.
    ///
    /// - Parameters:
    ///   - limit: the largest number of jobs to return.
    ///   - category: only jobs of this one; `nil` for all.
    ///   - needingAttention: only jobs that need attention. Otherwise jobs of a category are sought among the last
    ///     10,000.
    /// - Returns: their records.
    /// - Throws: `StoreError` if the database cannot be read.
    public func lastEnded(
        limit: Int, category: CategoryID? = nil, needingAttention: Bool = false
    ) throws(StoreError) -> [JobRecord] {
        var conditions = [
            needingAttention
                ? "job.state = 'discarded' AND job.superseded_by IS NULL"
                : "job.finished_at IS NOT NULL"
        ]
        // By its end, not by all files of the category.
        if category != nil { conditions.append("+source.category = ?") }
        if category != nil, !needingAttention {
            // For a category without recent jobs, not all jobs are searched.
            conditions.append(
                """
                job.id IN (SELECT id FROM job INDEXED BY job_finished
                WHERE finished_at IS NOT NULL ORDER BY finished_at DESC LIMIT 10000)
                """)
        }
        return try read { transaction in
            try transaction.records(
                where: conditions, category.map { [$0.rawValue] } ?? [], limit: limit,
                // Jobs that need attention have an index of their own and are few.
                order: "\(needingAttention ? "+" : "")job.finished_at DESC, job.id DESC")
        }
    }

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

    /// The waiting jobs in their order: available ones, then those that wait for their file or for another attempt.
    ///
    /// - Parameter limit: the largest number of jobs to return.
    /// - Returns: their records.
    /// - Throws: `StoreError` if the database cannot be read.
    public func nextInTurn(limit: Int) throws(StoreError) -> [JobRecord] {
        try read { transaction in
            let priorities = JobPriority.allCases.map(\.rawValue)
            let places =
                priorities.map { ("job.state = 'available' AND job.priority = \($0)", "job.id") }
                + priorities.map { ("job.due IS NOT NULL AND job.priority = \($0)", "job.due") }
            return try places.reduce(into: [JobRecord]()) { jobs, place in
                guard jobs.count < limit else { return }
                jobs += try transaction.records(
                    where: [place.0], [], limit: limit - jobs.count, order: place.1)
            }
        }
    }

    /// The average time of a picture over the newest 100 that were actually made; `nil` before the first.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    public func averageJobMilliseconds() throws(StoreError) -> Double? {
        try read { transaction in
            try transaction.value(
                """
                SELECT avg(spent) FROM (SELECT spent FROM job INDEXED BY job_spent
                    WHERE spent IS NOT NULL ORDER BY id DESC LIMIT 100)
                """)
        }
    }
}
