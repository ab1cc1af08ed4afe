import FoundationEssentials

/// A moment, in milliseconds since 1970. In JSON it is ISO 8601 in UTC: `2026-07-01T09:30:00.125Z`.
public struct Timestamp: Hashable, Sendable {
    /// Milliseconds since 1970.
    public var milliseconds: Int64

    /// Creates the moment this many milliseconds after 1970 began.
    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// Reads ISO 8601 with or without fractions of a second; `nil` for other texts.
    public init?(_ text: String) {
        guard let ms = Int64(date: text) else { return nil }
        milliseconds = ms
    }

    /// In whole seconds: `2026-07-01T09:30:00Z`.
    public var asDate: String { milliseconds.asDate }
}

extension Timestamp: Comparable {
    /// Whether `one` is earlier.
    public static func < (one: Timestamp, other: Timestamp) -> Bool {
        one.milliseconds < other.milliseconds
    }
}

extension Timestamp: ExpressibleByIntegerLiteral {
    /// Creates the moment this many milliseconds after 1970 began.
    public init(integerLiteral milliseconds: Int64) { self.init(milliseconds: milliseconds) }
}

extension Timestamp: Codable {
    /// Also reads the number that releases up to 0.4 wrote.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Int64.self) {  // else it is a text
            self.init(milliseconds: number)
            return
        }
        let text = try container.decode(String.self)
        guard let moment = Timestamp(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "\(text) is not a time in ISO 8601")
        }
        self = moment
    }

    /// Writes ISO 8601 with milliseconds.
    public func encode(to encoder: any Encoder) throws {
        // The second before the moment, also before 1970.
        let fraction = (milliseconds % 1000 + 1000) % 1000
        let second = (milliseconds - fraction).asDate
        var container = encoder.singleValueContainer()
        try container.encode("\(second.dropLast()).\(String(1000 + fraction).dropFirst())Z")
    }
}

// Published files and messages show whole seconds: `2026-07-01T09:30:00Z`.

extension Int64 {
    /// The moment this many milliseconds after 1970 began, as text.
    public var asDate: String {
        Date(timeIntervalSince1970: Double(self / 1000)).formatted(.iso8601)
    }

    /// Reads a moment with or without fractions of a second; `nil` for other texts.
    public init?(date text: String) {
        let precise = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        guard
            let date = (try? Date(text, strategy: .iso8601))  // most have no fractions
                ?? (try? Date(text, strategy: precise))
        else { return nil }
        let milliseconds = Int64((date.timeIntervalSince1970 * 1000).rounded())
        // The parser accepts 30 February, and anything after a whole date.
        let isUTC = text.wholeMatch(of: /[0-9T:.-]+Z/) != nil
        let second = milliseconds - (milliseconds % 1000 + 1000) % 1000
        guard isUTC, second.asDate.dropLast() == text.prefix(19) else { return nil }
        self = milliseconds
    }
}
