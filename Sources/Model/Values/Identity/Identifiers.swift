/// The id of a sticker: unique in the library, assigned once, never changed and never reused.
///
/// Form: `^[a-z0-9][a-z0-9_]{0,59}$`, the intersection of what every consumer accepts.
public struct StickerID: Hashable, Sendable, Codable, RawRepresentable, CustomStringConvertible {
    /// The text of the id.
    public let rawValue: String
    /// Wraps a text that is a valid id.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The text of the id.
    public var description: String { rawValue }
}

/// The id of a category, of the same form as a `StickerID`; it is the name of the folder below `out`.
public struct CategoryID: Hashable, Sendable, Codable, RawRepresentable, CustomStringConvertible {
    /// The text of the id.
    public let rawValue: String
    /// Wraps a text that is a valid id.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The text of the id.
    public var description: String { rawValue }
}

/// The number of a job, as an operator types it.
public struct JobID: Hashable, Sendable, Codable, RawRepresentable, Comparable,
    CustomStringConvertible
{
    /// Counts up from 1 and is never reused.
    public let rawValue: Int64
    /// Wraps the number of a job.
    public init(rawValue: Int64) { self.rawValue = rawValue }
    /// The number in decimal.
    public var description: String { String(rawValue) }
    /// Earlier jobs come first.
    public static func < (a: JobID, b: JobID) -> Bool { a.rawValue < b.rawValue }
}

/// The SHA-256 of some bytes, in lower-case hexadecimal (64 characters).
public struct ContentHash: Hashable, Sendable, Codable, RawRepresentable, CustomStringConvertible {
    /// 64 hexadecimal digits.
    public let rawValue: String
    /// Wraps 64 hexadecimal digits.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The digits.
    public var description: String { rawValue }
}

/// Identifies everything besides the picture that decides the bytes of a file: equal pictures and equal recipes give
/// equally good files, so they are made only once.
public struct RecipeID: Hashable, Sendable, Codable, RawRepresentable, CustomStringConvertible {
    /// 16 hexadecimal digits, or a word from an earlier release.
    public let rawValue: String
    /// Wraps the text of an id.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The text of the id.
    public var description: String { rawValue }
}
