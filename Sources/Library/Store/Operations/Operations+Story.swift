import FoundationEssentials
import GRDB
public import StickerValues

/// The history of a sticker.
public struct StickerStory: Hashable, Sendable, Codable {
    /// Its id.
    public var sticker: StickerID
    /// Its category.
    public var category: CategoryID
    /// Its file below the drop, escaped.
    public var file: String
    /// Whether the file no longer exists.
    public var isGone: Bool
    /// Whether it was restored from the trash, and so needs no file.
    public var isRestored = false
    /// Its concessions; absent if there are none.
    public var concessions: Concessions?
    /// Its published files; absent if there are none.
    public var product: StickerProduct?
    /// The job that made the published files, possibly from another file with the same bytes.
    public var made: JobDetails?
    /// The refusal of the file as it is now, if it needs attention.
    public var refused: JobDetails?
    /// The waiting or executing job.
    public var open: JobRecord?
    /// The job that withdrew it because its data is unknown, if it has no sticker for that reason.
    public var withdrawn: JobRecord?
    /// Possible faults of its published files, made by an older release: names of faults.
    public var faults: [String] = []
    /// Other stickers that show the same files.
    public var twins: [StickerID] = []
    /// Its name in another format, if it was requested by that.
    public var formerFile: String?
    /// The sticker that it replaced, if that was requested.
    public var formerSticker: StickerID?
}

/// The file of a sticker.
public struct KnownPicture: Hashable, Sendable {
    /// The sticker.
    public var sticker: StickerID
    /// Its file.
    public var key: SourceKey
    /// Words kept from its earlier names.
    public var keptWords: StickerWords?
}

extension Operations {
    /// The story of a sticker, by its present or former id or file; `nil` if there is no such sticker.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    public func story(of name: String) throws(StoreError) -> StickerStory? {
        try read { transaction in
            if let source = try transaction.storied(name) {
                return try transaction.story(of: source)
            }
            if let source = try transaction.successor(of: name) {
                var story = try transaction.story(of: source)
                story?.formerSticker = StickerID(rawValue: name)
                return story
            }
            guard let (source, former) = try transaction.picture(formerly: name) else {
                return nil
            }
            var story = try transaction.story(of: source)
            story?.formerFile = former.display
            return story
        }
    }

    /// The files of stickers that go by a name: an id, or the last part of a path.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    public func pictures(of name: String) throws(StoreError) -> [KnownPicture] {
        try read { transaction in
            let found = try transaction.sources(
                """
                SELECT \(SourceRow.columns) FROM source
                WHERE \(StoreTransaction.names) AND sticker IS NOT NULL AND present = 1 LIMIT 20
                """, StatementArguments(StoreTransaction.names(name)))
            let named = found.filter { $0.sticker?.rawValue == name }
            return try (named.isEmpty ? found : named).compactMap { try transaction.known($0) }
        }
    }

    /// The picture at a path, if it is known.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    public func pictures(of path: SourceKey) throws(StoreError) -> [KnownPicture] {
        let whole = "\(path.drop)/\(FileName.display(path.relativePath))"
        return try pictures(of: whole).filter {
            "\($0.key.drop)/\(FileName.display($0.key.relativePath))" == whole
        }
    }
}

extension StoreTransaction {
    fileprivate func story(of source: SourceRow) throws -> StickerStory? {
        guard let sticker = source.sticker else { return nil }
        var story = StickerStory(
            sticker: sticker, category: source.category, file: source.key.display,
            isGone: !source.isPresent)
        story.isRestored = source.isWithoutFile
        story.product = try source.output.flatMap { try product($0) }
        story.made = try making(of: source).flatMap { try details($0) }
        if story.made == nil, story.product != nil, source.key.isTemplate {
            // Its jobs have the bytes of the file, and its pictures those of a drawing.
            story.made = try newest(of: source, "job.state = 'completed'")
                .flatMap { try details($0.id) }
        }
        story.refused = try newest(
            of: source, "job.state = 'discarded' AND job.superseded_by IS NULL"
        ).flatMap { try details($0.id) }
        let content = story.refused?.job.content ?? source.content
        let concessions = try concessions(of: source).about(content)
        if !concessions.isEmpty { story.concessions = concessions }
        story.open = try newest(
            of: source, "job.state IN ('available', 'scheduled', 'retryable', 'executing')")
        if source.isPresent, source.isApplied, !source.isLive {
            story.withdrawn = try newest(
                of: source, "job.state = 'cancelled' AND job.reason = 'unknown-weather'")
        }
        story.faults = try source.output.map { try faults(of: $0) } ?? []
        story.twins = try twins(of: source)
        return story
    }

    /// The picture that had this name or path in another format, with its key at that time.
    fileprivate func picture(formerly name: String) throws -> (SourceRow, SourceKey)? {
        let found = try rows(
            """
            SELECT \(SourceRow.columns) FROM source INDEXED BY source_formerly
            WHERE former_names IS NOT NULL AND sticker IS NOT NULL
                AND (present = 1 OR output IS NOT NULL)
            ORDER BY output IS NULL, present DESC, id DESC
            """
        )
        for row in found {
            let picture = try SourceRow(row)
            if let former = picture.keys.dropFirst().first(where: { $0.isNamed(name) }) {
                return (picture, former)
            }
        }
        return nil
    }

    /// The file of the sticker that replaced another one, directly or through others.
    fileprivate func successor(of sticker: String) throws -> SourceRow? {
        var (name, passed): (String, Set<String>) = (sticker, [])
        while passed.insert(name).inserted,
            let next = try value(
                "SELECT successor FROM removal WHERE sticker = ?", [name]) as String?
        {
            if let source = try storied(next), source.sticker?.rawValue == next { return source }
            name = next
        }
        return nil
    }

    fileprivate func known(_ source: SourceRow) throws -> KnownPicture? {
        try source.sticker.map { sticker in
            let kept = try words(about: source).kept
            return KnownPicture(sticker: sticker, key: source.key, keptWords: kept)
        }
    }

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
        let granted = try concessions(of: record)?.about(record.content)
        return JobDetails(
            job: record,
            log: try log.map { try StoredJSON.decode(StepLog.self, from: $0) } ?? StepLog(),
            granted: granted?.isEmpty == false ? granted : nil, related: related)
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

    /// The job whose log shows how the published files were found: the last one that encoded them, which chose a file
    /// of as many bytes. Other recipes made other files of the same content.
    fileprivate func making(of source: SourceRow) throws -> JobID? {
        guard let output = source.output else { return nil }
        let id: Int64? = try value(
            """
            SELECT job.id FROM job JOIN output ON output.id = ?
            WHERE job.content = output.content AND job.state = 'completed'
            ORDER BY EXISTS (
                    SELECT 1 FROM json_each(job.log, '$.entries') AS entry,
                        json_each(entry.value, '$.fit.attempts') AS attempt
                    WHERE json_extract(entry.value, '$.fit.target') =
                            json_extract(output.product, '$.files[0].target')
                        AND json_extract(attempt.value, '$.isChosen') = 1
                        AND json_extract(attempt.value, '$.bytes') =
                            json_extract(output.product, '$.files[0].bytes')) DESC,
                job.recipe IS output.recipe DESC, job.spent IS NOT NULL DESC,
                job.source = ? DESC, job.id DESC LIMIT 1
            """, [output, source.id])
        return id.map(JobID.init)
    }

    /// The newest job of a file for which a condition holds.
    func newest(of source: SourceRow, _ condition: String) throws -> JobRecord? {
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

extension SourceKey {
    /// Whether this is its name, its path below the drop, or its whole path.
    fileprivate func isNamed(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return [name, relativePath, Array("\(drop)/".utf8) + relativePath].contains(bytes)
    }
}
