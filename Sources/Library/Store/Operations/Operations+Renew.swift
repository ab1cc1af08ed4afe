import GRDB
import StickerConfiguration
public import StickerValues

/// The result of queueing published files to be made again.
public struct RenewalSummary: Hashable, Sendable, Codable {
    /// A file left as it is.
    public struct Skipped: Hashable, Sendable, Codable {
        /// The file below its drop, escaped.
        public var file: String
        /// Why, in a few words.
        public var why: String
    }

    /// Files to be made again, below their drops, escaped.
    public var queued: [String] = []
    /// Files left as they are.
    public var skipped: [Skipped] = []
    /// Given names that are unknown.
    public var unknown: [String] = []

    /// Creates an empty summary.
    public init() {}
}

extension Operations {
    /// Queues published pictures to be made again by the code of this release, even if their files exist. The old files
    /// stay published until the new ones are in place.
    ///
    /// - Parameters:
    ///   - file: the file or the sticker, named as in `JobFilter.file`.
    ///   - tooLong: the new rule if it plays too long; `nil` changes nothing.
    ///   - recipe: returns the recipe of a category, for a sticker with these concessions; needed with `tooLong`.
    ///   - dryRun: whether to change nothing.
    /// - Returns: the queued files; empty if no such file is known.
    /// - Throws: `StoreError`; nothing was queued.
    public func renew(
        _ file: String,
        tooLong: TooLongRule? = nil,
        recipe: ((CategoryNames, Concessions) -> RecipeIDs?)? = nil, dryRun: Bool = false
    ) throws(StoreError) -> RenewalSummary {
        try write { transaction in
            var summary = RenewalSummary()
            for source in try transaction.sources(named: file) {
                let why = "an operator asked for it"
                let before = summary.queued.count
                try transaction.renew(source, .requested, .fresh, dryRun, why, &summary)
                guard let tooLong, !dryRun, summary.queued.count > before else { continue }
                var concessions = try transaction.concessions(of: source)
                concessions.tooLong = tooLong.own
                try transaction.grant(concessions, to: source)
                // Needed to match a refusal to this recipe.
                let names = try transaction.categoryNames(of: source)
                if let ids = recipe?(names, concessions.about(source.content)) {
                    try transaction.setRecipe(of: source, ids)
                }
            }
            return summary
        }
    }

    /// Queues pictures that an older release made and this one would improve, after all other waiting jobs; pictures
    /// that share their files are queued once.
    ///
    /// - Parameters:
    ///   - limit: the largest number of pictures to queue.
    ///   - onlyWrong: skips pictures that are shown correctly.
    ///   - dryRun: whether to change nothing.
    /// - Returns: the queued files; repeat the call until there are none. Wrong ones whose files are gone are skipped.
    /// - Throws: `StoreError`; nothing was queued.
    public func renewOutdated(
        limit: Int, onlyWrong: Bool = false, dryRun: Bool = false
    ) throws(StoreError) -> RenewalSummary {
        try write { transaction in
            var summary = RenewalSummary()
            let why = onlyWrong ? "an older release published it wrong" : "an older release made it"
            for source in try transaction.outdatedSources(onlyWrong, limit: limit) {
                try transaction.renew(source, .automatic, .bulk, dryRun, why, &summary)
            }
            guard onlyWrong else { return summary }
            for source in try transaction.wrongSourcesThatAreGone(limit: limit) {
                try transaction.renew(source, .automatic, .bulk, dryRun, why, &summary)
            }
            return summary
        }
    }

    /// Queues pictures that lack a file for some target, for one of `reasons`.
    ///
    /// - Throws: `StoreError`; the next call continues where this one stopped.
    public func renewShortfalls(of reasons: [Refusal.Reason]) throws(StoreError) {
        let names = reasons.map(\.rawValue)
        var last: Int64? = 0
        while let id = last {
            last = try write { transaction in
                var summary = RenewalSummary()
                let page = try transaction.sourcesWithShortfalls(after: id)
                for (source, reasons) in page where !reasons.isDisjoint(with: names) {
                    let why = "a limit that kept it from a target has changed"
                    try transaction.renew(source, .automatic, .bulk, false, why, &summary)
                }
                return page.last?.source.id
            }
        }
    }
}

extension StoreTransaction {
    /// A page of published files whose product has shortfalls, with the reasons.
    fileprivate func sourcesWithShortfalls(
        after id: Int64
    ) throws -> [(source: SourceRow, reasons: Set<String>)] {
        try rows(
            """
            SELECT \(SourceRow.columns), (SELECT group_concat(json_extract(value, '$.reason'))
                FROM json_each(output.product, '$.shortfalls')) AS reasons
            FROM source JOIN output ON output.id = source.output
            WHERE source.id > ? AND reasons IS NOT NULL AND source.id = (
                SELECT min(id) FROM source AS first
                WHERE first.output = output.id AND present = 1)
            ORDER BY source.id LIMIT 500
            """, [id]
        ).map { row in
            let reasons = (row["reasons"] as String).split(separator: ",").map(String.init)
            return (try SourceRow(row), Set(reasons))
        }
    }

    /// The number of published files with outdated pictures, and how many of these are wrong.
    func outdated() throws -> (all: Int, wrong: Int) {
        let row = try row(
            """
            SELECT count(*), coalesce(sum(output.is_wrong), 0)
            FROM output INDEXED BY output_revision JOIN source ON source.output = output.id
            WHERE \(Self.isOutdated)
            """)
        return row.map { ($0[0], $0[1]) } ?? (0, 0)
    }

    /// Missing files whose stickers are wrong and stay for now.
    fileprivate func wrongSourcesThatAreGone(limit: Int) throws -> [SourceRow] {
        try sources(
            """
            SELECT \(SourceRow.columns) FROM output INDEXED BY output_revision
            JOIN source ON source.output = output.id
            WHERE \(Self.isOutdated) AND output.is_wrong = 1 AND source.present = 0
                AND NOT EXISTS (SELECT 1 FROM source AS twin
                    WHERE twin.output = output.id AND twin.present = 1)
            ORDER BY source.id LIMIT ?
            """, [limit])
    }

    /// One published file for each outdated output, unless a renewal of it is waiting, running or was refused.
    fileprivate func outdatedSources(_ onlyWrong: Bool, limit: Int) throws -> [SourceRow] {
        try sources(
            """
            SELECT \(SourceRow.columns) FROM output INDEXED BY output_revision
            JOIN source ON source.output = output.id
            WHERE \(Self.isOutdated) AND (output.is_wrong = 1 OR NOT ?)
                AND source.present = 1 AND source.applied = 1
                AND NOT EXISTS (SELECT 1 FROM job WHERE job.source = source.id
                    AND job.state IN ('available', 'scheduled', 'retryable', 'executing'))
                AND NOT EXISTS (SELECT 1 FROM source AS twin JOIN job ON job.source = twin.id
                    WHERE twin.output = output.id AND job.renews > 0
                        AND (job.state <> 'cancelled' OR job.reason = ?))
                AND source.id = (SELECT min(id) FROM source AS first
                    WHERE first.output = output.id AND present = 1 AND applied = 1)
            LIMIT ?
            """, [onlyWrong, CancelReason.dismissed.rawValue, limit])
    }

    fileprivate func sources(named file: String) throws -> [SourceRow] {
        try sources(
            """
            SELECT \(SourceRow.columns) FROM source WHERE \(Self.names) AND kind <> 'foreign'
            ORDER BY source.id
            """, StatementArguments(Self.names(file)))
    }

    fileprivate func renew(
        _ source: SourceRow, _ renewal: ClaimedJob.Renewal, _ priority: JobPriority,
        _ dryRun: Bool, _ why: String,
        _ summary: inout RenewalSummary
    ) throws {
        let open = try jobs(
            of: source.id, where: "state IN ('available', 'scheduled', 'retryable', 'executing')")
        if let obstacle = Self.obstacle(to: source, open) {
            return summary.skipped.append(.init(file: source.key.display, why: obstacle))
        }
        summary.queued.append(source.key.display)
        guard !dryRun else { return }
        guard let waiting = open.first else {
            return try queueAgain(source, priority, renewal: renewal, why: why)
        }
        try addToLog(of: waiting, StepEntry("redo", milliseconds: 0, why))
        try update(waiting, [("renews", renewal.rawValue)])
    }

    /// Notes the recipe of the job that waits for a published file.
    fileprivate func setRecipe(of source: SourceRow, _ ids: RecipeIDs) throws {
        let made = try source.output.flatMap { try product($0) }
        let recipe = ids[moves: made?.animated ?? false].whole
        let open = try jobs(
            of: source.id, where: "state IN ('available', 'scheduled', 'retryable')")
        for job in open { try update(job, [("recipe", recipe.rawValue)]) }
    }

    private static func obstacle(to source: SourceRow, _ open: [JobRow]) -> String? {
        if !source.isPresent { return "the file is gone" }
        if open.contains(where: { $0.state == .executing }) { return "it is being worked on" }
        if source.isLive { return nil }
        return source.key.isTemplate && source.isApplied
            ? "it shows weather that is unknown; see: \(stickerctl: "status")"
            : "it is not published; see: "
                + "\(stickerctl: "explain \(source.key.display.asShellWord)")"
    }
}
