import GRDB
public import StickerModel

/// What became of a file, for whoever dropped it.
public struct EndedFile: Hashable, Sendable {
    /// The file below its drop.
    public var file: String
    /// What it is now.
    public var status: UploadStatus
}

extension JobStore {
    /// What files are now whose jobs ended at this time or later, in the order in which they ended.
    ///
    /// - Parameters:
    ///   - time: the earliest end.
    ///   - id: among jobs that ended at exactly this time, only those with a higher number; `nil` for all.
    ///   - limit: the largest number of jobs to look at.
    /// - Returns: what they are, without those that wait again or are gone; and the last job that was looked at, `nil` if
    ///   there was none.
    /// - Throws: `StoreError` if the database cannot be read.
    public func endedFiles(
        since time: Timestamp, after id: JobID?, limit: Int
    ) throws(StoreError) -> (files: [EndedFile], last: JobRecord?) {
        let jobs = try jobs(endedSince: time, after: id, limit: limit)
        let files = try read { transaction in
            try jobs.compactMap { job -> EndedFile? in
                guard let row = try transaction.job(job.id.rawValue),
                    let source = try transaction.source(row.source), source.isPresent,
                    let status = try transaction.status(of: source)
                else { return nil }
                return EndedFile(file: job.file, status: status)
            }
        }
        return (files, jobs.last)
    }

    /// The files of a folder of a drop that are there as far as is known, and what they are; `nil` for those that wait. A drop
    /// that is away keeps its files.
    ///
    /// - Parameters:
    ///   - folder: the name of a folder directly in the drop.
    ///   - drop: its path.
    /// - Returns: what they are, by their names.
    /// - Throws: `StoreError` if the database cannot be read.
    public func files(
        in folder: String, ofDrop drop: String
    ) throws(StoreError) -> [String: UploadStatus?] {
        try read { transaction in
            let directory = Array(folder.utf8)
            var files: [String: UploadStatus?] = [:]
            for source in try transaction.presentSources(drop: drop, below: directory)
            where source.key.directory == directory {
                files.updateValue(
                    try transaction.status(of: source),
                    forKey: FileName.display(source.key.name))
            }
            return files
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
    /// What a file is, by what is published of it and not by its jobs, which are kept for a while alone.
    fileprivate func status(of source: SourceRow) throws -> UploadStatus? {
        if let product = try source.output.flatMap({ try product($0) }) {
            return UploadStatus(ready: product)
        }
        let newest = try newest(of: source, "1")
        switch newest?.state {
        case .discarded: return UploadStatus(refused: newest?.refusal)
        case .cancelled where newest?.reason == CancelReason.dismissed.rawValue:
            return UploadStatus(refused: newest?.refusal)
        case nil where source.isApplied: return UploadStatus(refused: nil)
        default: return nil
        }
    }
}
