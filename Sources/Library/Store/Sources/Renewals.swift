import GRDB

/// When templates may show something else.
extension StoreTransaction {
    /// Of a template that is to be looked at as soon as nobody does.
    static let renewalAtOnce: Int64 = 0

    /// Lets templates be looked at again at once, or once they have rested.
    ///
    /// - Parameter category: of which category; `nil` for all.
    /// - Throws: what the database throws.
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

    /// Notes that a template is looked at again for the case that its job says nothing, because its file was away for
    /// example.
    func renewLater(_ source: Int64) throws { try renew(source, at: now.wall + 900_000) }

    /// Notes that drawing a template took `spent` milliseconds of CPU time, so that the clock leaves it alone `until`
    /// then; `nil` of one that is drawn whenever it changes.
    func rest(_ source: Int64, spent: Int64?, until: Int64?) throws {
        try run(
            "UPDATE source SET drawing_ms = ?, rests_until = ? WHERE id = ?",
            [spent, until, source])
    }

    /// Notes that time alone changes nothing of a template. It has a date nevertheless, as those have that change when
    /// the weather or the settings do.
    func renewTomorrow(_ source: Int64) throws {
        try renew(source, at: now.wall + 24 * 3_600_000)
    }
}

/// How much CPU time the clock may spend on one template: one percent of a core.
enum ClockBudget {
    /// The least time between two states of the weather, in milliseconds.
    static let weather: Int64 = 600_000
    /// Every template is drawn once a day, whatever it costs.
    private static let restMax: Int64 = 24 * 3_600_000

    /// How long a template is left alone after a drawing that took `spent` milliseconds of CPU time.
    static func rest(after spent: Int64) -> Int64 { min(spent * 100, restMax) }
}
