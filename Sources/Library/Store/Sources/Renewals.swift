import GRDB

/// When templates may show something else.
extension StoreTransaction {
    /// The renewal time of a template that is due at once.
    static let renewalAtOnce: Int64 = 0

    /// Makes templates due at once, or once they have rested.
    ///
    /// - Parameter category: the category; `nil` for all.
    /// - Throws: the errors of the database.
    func renewAll(of category: String? = nil) throws {
        try run(
            """
            UPDATE source SET renew_at = CASE WHEN rests_until > ?1 THEN rests_until ELSE ?2 END
            WHERE renew_at IS NOT NULL AND (?3 IS NULL OR category = ?3)
            """, [now.wall, Self.renewalAtOnce, category])
    }

    /// Notes when a template may show something else; `nil` if time changes nothing.
    func renew(_ source: Int64, at milliseconds: Int64?) throws {
        try run("UPDATE source SET renew_at = ? WHERE id = ?", [milliseconds, source])
    }

    /// Makes a template due again later in case its job reports no date, for example because its file was away.
    func renewLater(_ source: Int64) throws { try renew(source, at: now.wall + 900_000) }

    /// Notes that drawing a template took `spent` milliseconds of CPU time, so that the clock does not draw it before
    /// `until`; `nil` if it is drawn whenever it changes.
    func rest(_ source: Int64, spent: Int64?, until: Int64?) throws {
        try run(
            "UPDATE source SET drawing_ms = ?, rests_until = ? WHERE id = ?",
            [spent, until, source])
    }

    /// Notes that time alone does not change a template. It still gets a date, like all templates that change with the
    /// weather or the settings.
    func renewTomorrow(_ source: Int64) throws {
        try renew(source, at: now.wall + 24 * 3_600_000)
    }
}

/// The CPU time that the clock may spend on one template: one percent of a core.
enum ClockBudget {
    /// The least time between two states of the weather, in milliseconds.
    static let weather: Int64 = 600_000
    /// Every template is drawn once a day, whatever the cost.
    private static let restMax: Int64 = 24 * 3_600_000

    /// The rest of a template after a drawing that took `spent` milliseconds of CPU time.
    static func rest(after spent: Int64) -> Int64 { min(spent * 100, restMax) }
}
