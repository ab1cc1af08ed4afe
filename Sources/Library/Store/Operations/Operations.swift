import FoundationEssentials
import GRDB
public import StickerValues

/// Requests and questions of operators.
public struct Operations: Transacting {
    let connection: StoreConnection

    /// The figures of the store; their cost does not depend on the length of the history. Counting outdated stickers
    /// takes 0.4 s for 40,000, so it can be left out.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    public func status(countsOutdated: Bool = true) throws(StoreError) -> StoreStatus {
        try read { transaction in
            let jobs = try transaction.tally()
            let reasons = try transaction.attentionByReason()
            let outdated = countsOutdated ? try transaction.outdated() : nil
            return StoreStatus(
                jobs: jobs,
                waiting: [JobState.available, .scheduled, .retryable]
                    .reduce(0) { $0 + jobs[$1.rawValue, default: 0] },
                working: jobs[JobState.executing.rawValue, default: 0],
                needAttention: reasons.values.reduce(0, +), reasons: reasons,
                stickers: try transaction.count("SELECT jobs FROM tally WHERE state = 'live'"),
                categories: try transaction.count(
                    """
                    SELECT count(*) FROM category INDEXED BY category_published
                    WHERE published_stickers > 0
                    """),
                missing: try transaction.count(
                    """
                    SELECT count(*) FROM source INDEXED BY source_waning
                    WHERE missing_since IS NOT NULL AND held IS NULL AND output IS NOT NULL
                    """),
                outdated: outdated?.all, wrong: outdated?.wrong,
                oldestWaitingMilliseconds: try transaction.oldestWaiting())
        }
    }

    /// Jobs, newest first.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    public func jobs(
        _ filter: JobFilter = JobFilter(), limit: Int? = nil
    ) throws(StoreError) -> [JobRecord] {
        try read { try $0.records(filter, limit: limit) }
    }

    /// How many jobs `filter` selects, however many of them are shown.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    public func count(_ filter: JobFilter) throws(StoreError) -> JobCount {
        try read { try $0.count(filter) }
    }

    /// A job with its log and the other jobs of its file; `nil` if there is no such job.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    public func job(_ id: JobID) throws(StoreError) -> JobDetails? {
        try read { try $0.details(id) }
    }

    /// The published files of stickers, for lists that show them.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    public func products(
        of stickers: some Collection<StickerID>
    ) throws(StoreError) -> [StickerID: StickerProduct] {
        guard !stickers.isEmpty else { return [:] }
        return try read { transaction in
            let rows = try transaction.rows(
                """
                SELECT source.sticker, output.product FROM source JOIN output ON output.id = source.output
                WHERE source.sticker IN (SELECT value FROM json_each(?)) AND output.is_lost = 0
                """, [try StoredJSON.text(stickers.map(\.rawValue))])
            return try rows.reduce(into: [:]) { found, row in
                found[StickerID(rawValue: row[0])] = try StoredJSON.decode(
                    StickerProduct.self, from: row[1])
            }
        }
    }

    /// The file of a job; `nil` if there is no such job.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    public func file(of id: JobID) throws(StoreError) -> SourceKey? {
        try read { transaction in
            try transaction.job(id.rawValue).flatMap { try transaction.source($0.source)?.key }
        }
    }

    /// Whether a file with this complete path was ever seen in a drop.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    public func hasFile(_ path: String) throws(StoreError) -> Bool {
        let parts = path.split(separator: "/").map(String.init)
        guard let name = parts.last else { return false }
        // The drop may be any folder above it.
        return try read { transaction in
            try parts.indices.dropFirst().contains { start in
                let drop = "/" + parts[..<start].joined(separator: "/")
                let directory = parts[start..<(parts.count - 1)].joined(separator: "/")
                return try transaction.source(
                    SourceKey(drop: drop, directory: Array(directory.utf8), name: Array(name.utf8))
                ) != nil
            }
        }
    }

    /// Records the configuration in force.
    ///
    /// - Throws: `StoreError`; the previous record stays.
    public func setConfigurationRecord(_ record: ConfigurationRecord) throws(StoreError) {
        try setNote("configuration", to: record)
    }

    /// The configuration in force, or the last one.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    public func configurationRecord() throws(StoreError) -> ConfigurationRecord? {
        try note("configuration", as: ConfigurationRecord.self)
    }

    /// Stores the figures, unless they are unchanged.
    ///
    /// - Throws: `StoreError`; the previous figures stay.
    public func setLiveFigures(_ figures: LiveFigures) throws(StoreError) {
        try setNote("live", to: figures)
    }

    /// The last stored figures; the daemon may have ended since.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    public func liveFigures() throws(StoreError) -> LiveFigures? {
        try note("live", as: LiveFigures.self)
    }
}

extension StoreTransaction {
    fileprivate func tally() throws -> [String: Int] {
        let rows = try rows("SELECT state, jobs FROM tally WHERE jobs > 0 AND state <> 'live'")
        return Dictionary(uniqueKeysWithValues: rows.map { ($0[0] as String, $0[1] as Int) })
    }

    fileprivate func attentionByReason() throws -> [String: Int] {
        let rows = try rows(
            """
            SELECT reason, count(*) FROM job INDEXED BY job_attention
            WHERE state = 'discarded' AND superseded_by IS NULL GROUP BY reason
            """)
        return Dictionary(
            uniqueKeysWithValues: rows.map { ($0[0] as String? ?? "unknown", $0[1] as Int) })
    }

    fileprivate func oldestWaiting() throws -> Int64? {
        let times: [Int64] = try JobPriority.allCases.flatMap { priority in
            try [
                """
                SELECT created_at FROM job INDEXED BY job_available
                WHERE state = 'available' AND priority = ? ORDER BY id LIMIT 1
                """,
                """
                SELECT created_at FROM job INDEXED BY job_due
                WHERE due IS NOT NULL AND priority = ? ORDER BY due LIMIT 1
                """,
            ].compactMap { try value($0, [priority.rawValue]) }
        }
        return times.min().map { max(0, now.wall - $0) }
    }

    /// The jobs that `filter` selects, newest first.
    func records(_ filter: JobFilter, limit: Int?) throws -> [JobRecord] {
        let (conditions, arguments) = try conditions(of: filter)
        return try records(where: conditions, arguments, limit: limit)
    }

    func count(_ filter: JobFilter) throws -> JobCount {
        let (conditions, arguments) = try conditions(of: filter)
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT job.state = 'discarded' AND job.superseded_by IS NULL, job.reason, count(*)
                FROM job JOIN source ON source.id = job.source
                WHERE \(Self.all(conditions))
                GROUP BY 1, 2
                """, arguments: arguments)
        return rows.reduce(into: JobCount()) { count, row in
            count.jobs += row[2]
            guard row[0] else { return }
            count.attention[row[1] ?? "unknown", default: 0] += row[2]
        }
    }

    private func conditions(of filter: JobFilter) throws -> ([String], StatementArguments) {
        var conditions: [String] = []
        var arguments = StatementArguments()
        func require(_ condition: String, _ values: [any DatabaseValueConvertible]) {
            conditions.append(condition)
            arguments += StatementArguments(values)
        }
        if !filter.states.isEmpty {
            let states = filter.states.map { "'\($0.rawValue)'" }.sorted().joined(separator: ", ")
            conditions.append("job.state IN (\(states))")
            if let few = try few(filter.states) { conditions.append(few) }
        }
        if !filter.ids.isEmpty {
            let ids = filter.ids.map(\.description).sorted().joined(separator: ", ")
            conditions.append("job.id IN (\(ids))")
        }
        if filter.needingAttention {
            conditions.append("job.state = 'discarded' AND job.superseded_by IS NULL")
            if filter.reason == nil, filter.ids.isEmpty {
                conditions.append(
                    """
                    job.id IN (SELECT id FROM job INDEXED BY job_attention
                        WHERE state = 'discarded' AND superseded_by IS NULL)
                    """)
            }
        }
        if let category = filter.category {
            require("+source.category = ?", [category.rawValue])
            if try isSmall(category) { require(Self.jobsOfCategory, [category.rawValue]) }
        }
        if let reason = filter.reason { require("job.reason = ?", [reason]) }
        if let since = filter.since { require("job.created_at >= ?", [since.milliseconds]) }
        if let file = filter.file {
            require("job.source IN (SELECT id FROM source WHERE \(Self.names))", Self.names(file))
        }
        if let text = filter.search {
            require(
                "job.source IN (SELECT id FROM source WHERE \(Self.parts) OR \(Self.names))",
                Self.parts(text) + Self.names(text))
        }
        return (conditions, arguments)
    }

    /// The numbers of the jobs in these states, if they are few: the newest of a million would be looked through for
    /// them. Where they are many, that ends soon.
    private func few(_ states: Set<JobState>) throws -> String? {
        let tally = try tally()
        let all = states.reduce(0) { $0 + tally[$1.rawValue, default: 0] }
        guard all <= 10_000 else { return nil }
        var parts: [String] = []
        for state in states.sorted(by: { $0.rawValue < $1.rawValue }) {
            switch state {
            case .available:
                parts.append(
                    "SELECT id FROM job INDEXED BY job_available WHERE state = 'available'")
            case .scheduled, .retryable:
                parts.append("SELECT id FROM job INDEXED BY job_due WHERE due IS NOT NULL")
            case .executing:
                parts.append(
                    "SELECT id FROM job INDEXED BY job_executing WHERE state = 'executing'")
            case .completed, .cancelled, .discarded: return nil
            }
        }
        return "job.id IN (\(parts.joined(separator: " UNION ")))"
    }

    /// Whether a category has at most 2,000 files: the newest of a million jobs would be looked through for its own. In
    /// a larger one, that ends soon.
    private func isSmall(_ category: CategoryID) throws -> Bool {
        let files: Int? = try value(
            "SELECT count(*) FROM (SELECT 1 FROM source WHERE category = ? LIMIT 2001)",
            [category.rawValue])
        return files ?? 0 <= 2000
    }

    /// The jobs of a category, all of them sought in the index of files.
    private static let jobsOfCategory = """
        job.id IN (SELECT id FROM job INDEXED BY job_source
            WHERE source IN (SELECT id FROM source WHERE category = ?))
        """

    /// One condition that requires all of `conditions`, whatever operators they contain.
    private static func all(_ conditions: [String]) -> String {
        conditions.isEmpty ? "1" : conditions.map { "(\($0))" }.joined(separator: " AND ")
    }

    /// A part of a name or of a sticker's id; the text is also converted as titles and names are for ids.
    private static let parts = """
        instr(source.sticker, ?) > 0 OR instr(lower(CAST(source.name AS TEXT)), lower(?)) > 0
        """

    private static func parts(_ text: String) -> [any DatabaseValueConvertible] {
        // The empty text is a part of every id.
        [Slug.make(from: text) ?? text, text]
    }

    /// A sticker's id, a path below the drop, a name, or the whole path.
    static let names = """
        (source.sticker = ? OR source.name = ? OR
        CASE length(source.directory) WHEN 0 THEN source.name
            ELSE CAST(source.directory || x'2f' || source.name AS BLOB) END = ? OR
        CAST(source.drop_path || CASE length(source.directory) WHEN 0 THEN ''
            ELSE '/' || source.directory END || '/' || source.name AS BLOB) = ?)
        """

    static func names(_ file: String) -> [any DatabaseValueConvertible] {
        let bytes = Data(file.utf8)
        return [file, bytes, bytes, bytes]
    }

    func records(
        where conditions: [String], _ arguments: StatementArguments, limit: Int?,
        order: String = "job.id DESC"
    ) throws -> [JobRecord] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT job.id, job.state, job.superseded_by, job.attempt, job.origin, job.size,
                    job.created_at, job.started_at, job.finished_at, job.reason, job.refusal,
                    job.warnings, job.content, job.recipe, \(SourceRow.columns)
                FROM job JOIN source ON source.id = job.source
                WHERE \(Self.all(conditions)) ORDER BY \(order) LIMIT \(limit ?? -1)
                """, arguments: arguments
        ).map(JobRecord.init)
    }
}

extension JobRecord {
    fileprivate init(_ row: Row) throws {
        let source = try SourceRow(row, from: 14)
        guard let state = JobState(rawValue: row[1]), let origin = Sighting.Origin(rawValue: row[4])
        else { throw StoreError(.damaged, "job \(row) makes no sense" + StoreError.rebuildHint) }
        let supersededBy: Int64? = row[2]
        self.init(
            id: JobID(rawValue: row[0]), state: state,
            needsAttention: state == .discarded && supersededBy == nil, file: source.key.display,
            drop: source.key.drop, category: source.category, sticker: source.sticker,
            attempt: row[3], origin: origin, bytes: row[5],
            createdAt: Timestamp(milliseconds: row[6]),
            startedAt: (row[7] as Int64?).map(Timestamp.init(milliseconds:)),
            finishedAt: (row[8] as Int64?).map(Timestamp.init(milliseconds:)), reason: row[9],
            refusal: try (row[10] as String?).map {
                try StoredJSON.decode(Refusal.self, from: $0)
            },
            warnings: try (row[11] as String?).map {
                try StoredJSON.decode([Warning].self, from: $0)
            }, content: (row[12] as String?).map(ContentHash.init),
            recipe: (row[13] as String?).map(RecipeID.init),
            supersededBy: supersededBy.map(JobID.init))
    }
}
