import FoundationEssentials
import GRDB
public import StickerModel

/// How a sticker came to be what it is.
public struct StickerStory: Hashable, Sendable, Codable {
    /// Its id.
    public var sticker: StickerID
    /// Its category.
    public var category: CategoryID
    /// Its file below the drop, escaped.
    public var file: String
    /// Whether the file no longer exists.
    public var isGone: Bool
    /// What is published; absent if nothing is.
    public var product: StickerProduct?
    /// The job that made what is published, possibly from another file with the same bytes.
    public var made: JobDetails?
    /// The refusal of the file as it is now, if it needs attention.
    public var refused: JobDetails?
    /// The job that is waiting or working.
    public var open: JobRecord?
    /// Other stickers that show the same files.
    public var twins: [StickerID] = []
}

extension JobStore {
    /// The story of a sticker, named by its id or by its file; `nil` if there is no such sticker.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    public func story(of name: String) throws(StoreError) -> StickerStory? {
        try read { transaction in
            guard let source = try transaction.storied(name), let sticker = source.sticker
            else { return nil }
            var story = StickerStory(
                sticker: sticker, category: source.category, file: source.key.display,
                isGone: !source.isPresent)
            story.product = try source.output.flatMap { try transaction.product($0) }
            story.made = try transaction.making(of: source).flatMap { try transaction.details($0) }
            story.refused = try transaction.newest(
                of: source, "job.state = 'discarded' AND job.superseded_by IS NULL"
            ).flatMap { try transaction.details($0.id) }
            story.open = try transaction.newest(
                of: source, "job.state IN ('available', 'scheduled', 'retryable', 'executing')")
            story.twins = try transaction.twins(of: source)
            return story
        }
    }
}

extension JobStore {
    /// The file of a sticker, named by its id or by the file, and what is said about it because it was said under
    /// earlier names; `nil` if there is no such file.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    public func picture(
        of name: String
    ) throws(StoreError) -> (key: SourceKey, keptWords: StickerWords?)? {
        try read { transaction in
            guard let source = try transaction.storied(name), source.isPresent else { return nil }
            return (source.key, try transaction.words(about: source).kept)
        }
    }
}

extension StoreTransaction {
    /// A job with its log and the other jobs of its file.
    func details(_ id: JobID) throws -> JobDetails? {
        var filter = JobFilter()
        filter.ids = [id]
        guard let record = try records(filter, limit: 1).first else { return nil }
        let log: String? = try value("SELECT log FROM job WHERE id = ?", [id.rawValue])
        let related = try records(
            where: [
                "job.source = (SELECT source FROM job WHERE id = \(id))", "job.id <> \(id)",
            ], [], limit: 20)
        return JobDetails(
            job: record,
            log: try log.map { try StoredJSON.decode(StepLog.self, from: $0) } ?? StepLog(),
            related: related)
    }

    /// The sticker of this id or file, published ones first.
    func storied(_ name: String) throws -> SourceRow? {
        try row(
            """
            SELECT \(SourceRow.columns) FROM source WHERE \(Self.names) AND sticker IS NOT NULL
            ORDER BY output IS NULL, present DESC, id DESC LIMIT 1
            """, StatementArguments(Self.names(name))
        ).map { try SourceRow($0) }
    }

    /// The job whose log tells how the published files were found: the last one that actually encoded them.
    fileprivate func making(of source: SourceRow) throws -> JobID? {
        guard let output = source.output else { return nil }
        let id: Int64? = try value(
            """
            SELECT job.id FROM job JOIN output ON output.id = ?
            WHERE job.content = output.content AND job.state = 'completed'
            ORDER BY EXISTS (
                    SELECT 1 FROM json_each(job.log, '$.entries')
                    WHERE json_extract(json_each.value, '$.fit.target') =
                        json_extract(output.product, '$.files[0].target')) DESC,
                job.spent IS NOT NULL DESC, job.recipe = output.recipe DESC,
                job.source = ? DESC, job.id DESC LIMIT 1
            """, [output, source.id])
        return id.map(JobID.init)
    }

    fileprivate func newest(of source: SourceRow, _ condition: String) throws -> JobRecord? {
        try records(where: ["job.source = \(source.id)", condition], [], limit: 1).first
    }

    fileprivate func twins(of source: SourceRow) throws -> [StickerID] {
        guard let output = source.output, let sticker = source.sticker else { return [] }
        return try rows(
            """
            SELECT sticker FROM source
            WHERE output = ? AND sticker IS NOT NULL AND sticker <> ? ORDER BY sticker LIMIT 10
            """, [output, sticker.rawValue]
        ).map { StickerID(rawValue: $0[0]) }
    }
}
