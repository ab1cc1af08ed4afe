/// One step of a job: what was done, how long it took, and the resulting numbers.
public struct StepEntry: Hashable, Sendable, Codable {
    /// The step, for example `decode`.
    public var step: String
    /// Wall time in milliseconds.
    public var milliseconds: Double
    /// The numbers, for people: `PNG 1600x1200, 8 bit, alpha`.
    public var detail: String
    /// What was tried, if the step was the search for an encoding.
    public var fit: FitRecord?

    /// Creates a step that took `milliseconds`.
    public init(_ step: String, milliseconds: Double, _ detail: String, fit: FitRecord? = nil) {
        self.step = step
        self.milliseconds = milliseconds
        self.detail = detail
        self.fit = fit
    }
}

/// The steps of one job in order, bounded: if there are too many, the middle is left out.
public struct StepLog: Hashable, Sendable, Codable {
    /// How many entries a log keeps.
    public static let entriesMax = 96
    /// How many bytes of UTF-8 the detail of an entry keeps.
    public static let detailMax = 400

    /// What was kept.
    public private(set) var entries: [StepEntry] = []
    /// How many entries were left out for lack of room.
    public private(set) var omitted = 0

    /// Creates an empty log.
    public init() {}

    /// Adds a step at the end.
    public mutating func append(_ entry: StepEntry) {
        var entry = entry
        if entry.detail.utf8.count > Self.detailMax { entry.detail = Self.cut(entry.detail) }
        if entries.count == Self.entriesMax {
            entries.remove(at: Self.entriesMax / 2)
            omitted += 1
        }
        entries.append(entry)
    }

    /// Adds every step of `other` at the end.
    public mutating func append(contentsOf other: StepLog) {
        for entry in other.entries { append(entry) }
        omitted += other.omitted
    }

    /// Limits bytes, because a single character may carry any number of accents, but cuts between
    /// characters.
    private static func cut(_ text: String) -> String {
        let ellipsis = "…"
        var kept = ""
        for character in text {
            let bytes = kept.utf8.count + character.utf8.count + ellipsis.utf8.count
            guard bytes <= detailMax else { break }
            kept.append(character)
        }
        return kept + ellipsis
    }
}
