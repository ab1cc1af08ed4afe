import GRDB
public import StickerValues

extension JobQueue {
    /// How many templates one transaction examines.
    private static let templates = 100

    /// Queues the templates that may show something else now: one job each, however many instants were missed.
    ///
    /// For each template, the history keeps the last of the jobs that the clock queued, and the last that failed for
    /// each reason.
    ///
    /// - Returns: how many jobs were added.
    /// - Throws: `StoreError`; the next call continues where this one stopped.
    public func renewTemplates() throws(StoreError) -> Int {
        let isDue = try read { transaction in
            try transaction.count(
                "SELECT count(*) FROM source WHERE (renew_at <= ? OR renew_at > ?) AND present = 1",
                transaction.bounds) > 0
        }
        guard isDue else { return 0 }
        return try write { transaction in
            let due = try transaction.sources(
                """
                SELECT \(SourceRow.columns) FROM source
                WHERE (renew_at <= ? OR renew_at > ?) AND present = 1 LIMIT ?
                """, transaction.bounds + [Self.templates])
            return try due.count { source in
                try transaction.queueByClock(source)
            }
        }
    }

    /// Makes every template due again if `settings`, which they depend on besides time, changed since the last call;
    /// resting templates become due after their rest.
    ///
    /// - Throws: `StoreError`; nothing was changed.
    public func renewTemplates(ifChanged settings: String) throws(StoreError) {
        guard try read({ try $0.note(Self.settingsNote) }) != settings else { return }
        try write { transaction in
            try transaction.setNote(Self.settingsNote, settings)
            try transaction.renewAll()
        }
    }

    private static let settingsNote = "smart"

    /// Templates so slow to draw that the clock draws them less often than they change.
    ///
    /// - Parameter max: how many.
    /// - Returns: the slowest first.
    /// - Throws: `StoreError` if the database cannot be read.
    public func slowTemplates(max: Int) throws(StoreError) -> [SlowTemplate] {
        try read { transaction in
            try transaction.rows(
                """
                SELECT \(SourceRow.columns), drawing_ms AS spent FROM source INDEXED BY source_slow
                WHERE drawing_ms IS NOT NULL AND present = 1 ORDER BY drawing_ms DESC LIMIT ?
                """, [max]
            ).map { row in
                let source = try SourceRow(row)
                let spent: Int64 = row["spent"]
                return SlowTemplate(
                    category: source.category, file: source.key.display, drop: source.key.drop,
                    milliseconds: spent, restMilliseconds: ClockBudget.rest(after: spent))
            }
        }
    }

    /// The number of templates without a sticker because their data is unknown.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    public func withdrawnTemplates() throws(StoreError) -> Int {
        try read { transaction in
            try transaction.count(
                """
                SELECT count(*) FROM source INDEXED BY source_renewal
                WHERE renew_at IS NOT NULL AND present = 1 AND applied = 1 AND output IS NULL
                    AND EXISTS (SELECT 1 FROM job WHERE job.source = source.id
                        AND job.state = 'cancelled' AND job.reason = ?)
                """, [CancelReason.unknownWeather.rawValue])
        }
    }
}

extension StoreTransaction {
    /// The longest time that a template stays unchanged, unless clocks were set back.
    private static let longest: Int64 = 26 * 3_600_000

    /// The bounds between which nothing is due.
    fileprivate var bounds: StatementArguments { [now.wall, now.wall + Self.longest] }

    /// Adds a job unless one waits, which will see the latest state. An executing one may have looked already.
    fileprivate func queueByClock(_ source: SourceRow) throws -> Bool {
        let open: [JobState] = try rows(
            """
            SELECT state FROM job WHERE source = ?
                AND state IN ('available', 'scheduled', 'retryable', 'executing')
            """, [source.id]
        ).compactMap { JobState(rawValue: $0[0]) }
        if open.contains(.executing), !open.contains(where: { $0 != .executing }) {
            try run(
                "UPDATE source SET renew_at = ?1 WHERE id = ?2 AND renew_at <> ?1",
                [Self.renewalAtOnce, source.id])
            return false
        }
        // The template is due again whatever becomes of the job.
        try renewLater(source.id)
        guard open.isEmpty else { return false }
        try run(
            """
            DELETE FROM job WHERE source = ?1 AND origin = ?2 AND (state IN ('completed', 'cancelled')
                OR id NOT IN (SELECT max(id) FROM job WHERE source = ?1 AND origin = ?2
                    AND state = 'discarded' GROUP BY reason))
            """, [source.id, Sighting.Origin.clock.rawValue])
        try queueAgain(source, .fresh, origin: .clock, why: "what it shows has changed")
        return true
    }
}

/// A template that takes more CPU time than the clock may spend, one percent of a core.
public struct SlowTemplate: Hashable, Sendable, Encodable {
    /// Its category.
    public let category: CategoryID
    /// Its path below the drop, escaped.
    public let file: String
    /// Its drop.
    public let drop: String
    /// The CPU time of its last drawing.
    public let milliseconds: Int64
    /// How long it rests after each drawing.
    public let restMilliseconds: Int64
}
