import GRDB
public import StickerModel

extension JobStore {
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

    /// The current time of the store's clock.
    public var now: Timestamp { Timestamp(milliseconds: clock.wall()) }

    /// How long a picture takes on average, according to the newest 100 that were actually made; `nil`
    /// before the first.
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
