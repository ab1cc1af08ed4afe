import GRDB
public import StickerModel

/// What became of a file, for whoever dropped it.
public struct EndedFile: Hashable, Sendable {
    /// The job.
    public var job: JobID
    /// The file below its drop.
    public var file: String
    /// When the job ended.
    public var endedAt: Timestamp
    /// What it became, or why it did not.
    public var status: UploadStatus
}

extension JobStore {
    /// What files became whose jobs ended at this time or later, in the order in which they ended. Jobs that were
    /// cancelled are left out, as another one follows, or the file is gone.
    ///
    /// - Parameters:
    ///   - time: the earliest end.
    ///   - id: among jobs that ended at exactly this time, only those with a higher number; `nil` for all.
    ///   - limit: the largest number of jobs to look at.
    /// - Returns: what they became, and the last job that was looked at; `nil` if there was none.
    /// - Throws: `StoreError` if the database cannot be read.
    public func endedFiles(
        since time: Timestamp, after id: JobID?, limit: Int
    ) throws(StoreError) -> (files: [EndedFile], last: JobRecord?) {
        let jobs = try jobs(endedSince: time, after: id, limit: limit)
        let files = try read { transaction in
            try jobs.compactMap { job -> EndedFile? in
                guard let status = try transaction.status(of: job), let endedAt = job.finishedAt
                else { return nil }
                return EndedFile(job: job.id, file: job.file, endedAt: endedAt, status: status)
            }
        }
        return (files, jobs.last)
    }

    /// What a file became.
    ///
    /// - Parameter file: its path below the drop.
    /// - Returns: `nil` while it waits, or if there is no such file.
    /// - Throws: `StoreError` if the database cannot be read.
    public func endedFile(_ file: String) throws(StoreError) -> EndedFile? {
        var filter = JobFilter()
        filter.file = file
        let jobs = try jobs(filter, limit: 1)
        return try read { transaction in
            guard let job = jobs.first, let status = try transaction.status(of: job),
                let endedAt = job.finishedAt
            else { return nil }
            return EndedFile(job: job.id, file: job.file, endedAt: endedAt, status: status)
        }
    }

    /// How far `noteUploads` was told to have come; `nil` before the first time.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    public func uploadsNotedUntil() throws(StoreError) -> Timestamp? {
        try note("uploads", as: Timestamp.self)
    }

    /// Remembers that everything is known to those who dropped it that ended before.
    ///
    /// - Throws: `StoreError`.
    public func noteUploads(until time: Timestamp) throws(StoreError) {
        try setNote("uploads", to: time)
    }
}

extension StoreTransaction {
    fileprivate func status(of job: JobRecord) throws -> UploadStatus? {
        switch job.state {
        case .completed:
            let output: Int64? = try job.sticker.flatMap {
                try value("SELECT output FROM source WHERE sticker = ?", [$0.rawValue])
            }
            return try output.flatMap { try product($0) }.map { UploadStatus(ready: $0) }
        case .discarded: return UploadStatus(refused: job.refusal)
        default: return nil
        }
    }
}
