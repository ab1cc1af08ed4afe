import GRDB
import StickerModel

extension StoreTransaction {
    /// Notes when a template may show something else; `nil` if time changes nothing.
    func renew(_ source: Int64, at milliseconds: Int64?) throws {
        try run("UPDATE source SET renew_at = ? WHERE id = ?", [milliseconds, source])
    }

    /// Notes that time alone changes nothing of a template. It has a date nevertheless, as those have that change when
    /// the weather or the settings do.
    func renewTomorrow(_ source: Int64) throws {
        try renew(source, at: now.wall + 24 * 3_600_000)
    }
}

extension StoreTransaction {
    /// No template shows the same for longer, unless clocks were set back since.
    private static let longest: Int64 = 26 * 3_600_000

    /// The instants between which nothing has to be done.
    fileprivate var bounds: StatementArguments { [now.wall, now.wall + Self.longest] }
}

extension JobStore {
    /// How many templates one transaction looks at.
    private static let templates = 100
    /// After how many milliseconds a template is looked at again if its job said nothing, because its file was away
    /// for example.
    private static let patience: Int64 = 900_000

    /// Queues the templates that may show something else by now: one job each, however many instants were missed.
    ///
    /// Of the jobs that came by the clock, the last one of each template stays in the history, and the last one that
    /// failed for each reason.
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
            let due = try transaction.rows(
                """
                SELECT \(SourceRow.columns) FROM source
                WHERE (renew_at <= ? OR renew_at > ?) AND present = 1 LIMIT ?
                """, transaction.bounds + [Self.templates]
            ).map { try SourceRow($0) }
            return try due.count { source in
                // Whatever becomes of the job, the template is looked at again.
                try transaction.renew(source.id, at: transaction.now.wall + Self.patience)
                return try transaction.queueByClock(source)
            }
        }
    }

    /// Lets every template be looked at again if `settings`, what they depend on besides time, differ from those
    /// of the last call.
    ///
    /// - Throws: `StoreError`; nothing was changed.
    public func renewTemplates(ifChanged settings: String) throws(StoreError) {
        guard try read({ try $0.note(Self.settingsNote) }) != settings else { return }
        try write { transaction in
            try transaction.setNote(Self.settingsNote, settings)
            try transaction.run("UPDATE source SET renew_at = 0 WHERE renew_at IS NOT NULL")
        }
    }

    private static let settingsNote = "smart"

    /// How many templates are no sticker now, because they show what is not known.
    ///
    /// - Throws: `StoreError` if the database cannot be read.
    public func withdrawnTemplates() throws(StoreError) -> Int {
        try read { transaction in
            try transaction.count(
                """
                SELECT count(*) FROM source INDEXED BY source_renewal
                WHERE renew_at IS NOT NULL AND present = 1 AND applied = 1 AND output IS NULL
                """)
        }
    }
}

extension StoreTransaction {
    /// Adds a job unless one waits or works: that will see the time as it is then.
    fileprivate func queueByClock(_ source: SourceRow) throws -> Bool {
        let open = try count(
            """
            SELECT count(*) FROM job WHERE source = ?
                AND state IN ('available', 'scheduled', 'retryable', 'executing')
            """, [source.id])
        guard open == 0 else { return false }
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
