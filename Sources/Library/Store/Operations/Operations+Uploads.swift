import GRDB
public import StickerValues

/// The state of a file, for the user who dropped it.
public struct EndedFile: Hashable, Sendable {
    /// The file below its drop.
    public var file: String
    /// Its present state.
    public var status: UploadStatus
}

extension Operations {
    /// The states of files whose jobs ended at this time or later, in the order in which they ended.
    ///
    /// - Parameters:
    ///   - time: the earliest end.
    ///   - id: among jobs that ended at exactly this time, only those with a higher number; `nil` for all.
    ///   - limit: the largest number of jobs to examine.
    /// - Returns: their states, without files that wait again or are gone; and the last job examined, `nil` if there
    ///   was none.
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

    /// The present files of a folder of a drop, as recorded, with their states; `nil` for those that wait. A missing
    /// drop keeps its files.
    ///
    /// - Parameters:
    ///   - folder: the name of a folder directly in the drop.
    ///   - drop: its path.
    /// - Returns: their states, by name.
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

    /// The time last given to `noteUploads`; `nil` before the first.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    public func uploadsNotedUntil() throws(StoreError) -> Timestamp? {
        try note("uploads", as: Timestamp.self)
    }

    /// Remembers that the users were notified of all jobs that ended before `time`.
    ///
    /// - Throws: `StoreError`.
    public func noteUploads(until time: Timestamp) throws(StoreError) {
        try setNote("uploads", to: time)
    }
}

extension StoreTransaction {
    /// The state of a file by its published picture, not by its jobs, which are kept only for a while.
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
