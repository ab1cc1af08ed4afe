import GRDB

/// When templates may show something else.
extension StoreTransaction {
    /// Of a template that is to be looked at as soon as nobody does.
    static let renewalAtOnce: Int64 = 0

    /// Notes when a template may show something else; `nil` if time changes nothing.
    func renew(_ source: Int64, at milliseconds: Int64?) throws {
        try run("UPDATE source SET renew_at = ? WHERE id = ?", [milliseconds, source])
    }

    /// Notes that a template is looked at again for the case that its job says nothing, because its file was away for
    /// example.
    func renewLater(_ source: Int64) throws { try renew(source, at: now.wall + 900_000) }

    /// Notes that time alone changes nothing of a template. It has a date nevertheless, as those have that change when
    /// the weather or the settings do.
    func renewTomorrow(_ source: Int64) throws {
        try renew(source, at: now.wall + 24 * 3_600_000)
    }
}
