import FoundationEssentials

// Moments are milliseconds since 1970; people and published files see them as ISO 8601, in UTC and whole
// seconds: `2026-07-01T09:30:00Z`.

extension Int64 {
    /// The moment as text.
    public var asDate: String {
        Date(timeIntervalSince1970: Double(self / 1000)).formatted(.iso8601)
    }

    /// Reads a moment; `nil` if the text is not one.
    public init?(date text: String) {
        guard let date = try? Date(text, strategy: .iso8601) else { return nil }
        self = Int64(date.timeIntervalSince1970) * 1000
    }
}
