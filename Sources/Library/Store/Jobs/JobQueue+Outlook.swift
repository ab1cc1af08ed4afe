import GRDB
public import StickerValues

/// Everything that a job needs of the database once its file is read, at one instant.
public struct JobOutlook: Sendable {
    /// Recorded files with the bytes of a new one: if one of them is gone, the new file is that one under another name.
    /// At most twenty, those of the same name first; none if the file itself has something published.
    public var twins: [SourceKey]
    /// The concessions about these bytes of the sticker that the file has, or will have once published.
    public var concessions: Concessions
    /// The product of the file, lost or not; `nil` also if an operator asked for another.
    public var live: LiveProduct?
    /// All products of the drawn content, by any recipe and anywhere in the library, newest first: existing files need
    /// not be made again. None if everything is to be made again.
    public var products: [StickerProduct]
    /// Whether an editor let the category publish the file, or it shows the same bytes already.
    public var isApproved = false
}

extension JobQueue {
    /// Reads everything that a job needs in one transaction.
    ///
    /// - Parameters:
    ///   - job: the job.
    ///   - content: the hash of its file.
    ///   - drawn: the hash of the filled-in template; `nil` for other files.
    /// - Returns: the outlook; files of its products stay at least long enough for the caller to publish them.
    /// - Throws: `StoreError` if the database cannot be read.
    public func outlook(
        of job: ClaimedJob, _ content: ContentHash, drawn: ContentHash? = nil
    ) throws(StoreError) -> JobOutlook {
        let drawn = drawn ?? content
        var (outlook, isReleased) = try read { try $0.outlook(of: job, content, drawn) }
        guard isReleased else { return outlook }
        outlook.products = try write { transaction in
            let until = transaction.now.wall + Int64(ObjectStore.guardSeconds) * 1000
            try transaction.run(
                """
                UPDATE output SET keep_until = max(keep_until, ?)
                WHERE content = ? AND keep_until IS NOT NULL
                """, [until, drawn.rawValue])
            return try transaction.products(of: drawn).map(\.product)
        }
        return outlook
    }

    /// The concessions that an operator made about these bytes of the file.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    public func concessions(
        of job: ClaimedJob, _ content: ContentHash
    ) throws(StoreError) -> Concessions {
        try read { try $0.concessions(of: $0.source(job.source), content) }
    }
}

extension StoreTransaction {
    fileprivate func outlook(
        of job: ClaimedJob, _ content: ContentHash, _ drawn: ContentHash
    ) throws -> (outlook: JobOutlook, isReleased: Bool) {
        let source = try source(job.source)
        let products = job.renewal != .none ? [] : try products(of: drawn)
        let outlook = JobOutlook(
            twins: source?.isLive == true ? [] : try twins(of: job.source, content),
            concessions: try concessions(of: source, content),
            live: job.renewal == .requested ? nil : try source.flatMap(liveProduct),
            products: products.map(\.product),
            isApproved: try source.map { try isApproved(content, for: $0.category) } ?? false)
        return (outlook, products.contains(where: \.isReleased))
    }

    fileprivate func concessions(
        of source: SourceRow?, _ content: ContentHash
    ) throws -> Concessions {
        try source.map { try concessions(of: $0, content) } ?? Concessions()
    }
}
