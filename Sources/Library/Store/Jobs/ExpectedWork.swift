public import StickerValues

/// Estimates the work of jobs before any of their files is read.
///
/// A job counts as the bytes of its file plus 500,000; tenfold for a GIF or an APNG by its name and for a job on a lane
/// of large files. A byte is about 1 µs of one core, measured over 88 files of all kinds.
public enum ExpectedWork {
    private static let ofAny = 500_000.0
    private static let factorOfMoving = 10.0
    private static let endingsOfMoving = [".gif", "apng"]

    /// The expected work of a claimed job, in bytes.
    public static func of(_ job: ClaimedJob) -> Double {
        let ending = String(decoding: job.source.name.suffix(4), as: UTF8.self).lowercased()
        let isSlow = job.isLarge || endingsOfMoving.contains(ending)
        return (ofAny + Double(job.version.size)) * (isSlow ? factorOfMoving : 1)
    }

    /// The expected work of a row of `job` with its `source`, as `of` counts it.
    fileprivate static let ofRow = """
        (\(ofAny) + job.size) * CASE WHEN job.priority >= \(JobPriority.large.rawValue)
            OR lower(CAST(substr(source.name, -4) AS TEXT)) IN ('.gif', 'apng')
            THEN \(factorOfMoving) ELSE 1 END
        """
}

extension JobQueue {
    /// The expected work of all waiting and executing jobs, in bytes. Takes about 1 µs per job.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    public func expectedWork() throws(StoreError) -> Double {
        let left = [
            ("job_available", "job.state = 'available'"), ("job_due", "job.due IS NOT NULL"),
            ("job_executing", "job.state = 'executing'"),
        ]
        return try read { transaction in
            try left.reduce(0) { sum, part in
                let work: Double? = try transaction.value(
                    """
                    SELECT total(\(ExpectedWork.ofRow)) FROM job INDEXED BY \(part.0)
                    JOIN source ON source.id = job.source WHERE \(part.1)
                    """)
                return sum + (work ?? 0)
            }
        }
    }
}
