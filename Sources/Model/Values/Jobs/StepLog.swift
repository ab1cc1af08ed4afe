/// One step of a job: its action, time and figures.
public struct StepEntry: Hashable, Sendable, Codable {
    /// The step, for example `decode`.
    public var step: String
    /// Wall time in milliseconds.
    public var milliseconds: Double
    /// CPU time in milliseconds, of steps of a worker; `nil` if it was not measured.
    public var cpuMilliseconds: Double?
    /// The figures: `PNG 1600x1200, 8 bit, alpha`.
    public var detail: String
    /// The attempts, if the step was the search for an encoding.
    public var fit: FitRecord?

    /// Creates a step that took `milliseconds`.
    public init(
        _ step: String, milliseconds: Double, cpuMilliseconds: Double? = nil, _ detail: String,
        fit: FitRecord? = nil
    ) {
        self.step = step
        self.milliseconds = milliseconds
        self.cpuMilliseconds = cpuMilliseconds
        self.detail = detail
        self.fit = fit
    }
}

/// The steps of one job in order; beyond a limit, the middle is left out.
public struct StepLog: Hashable, Sendable, Codable {
    /// The most entries in a log.
    public static let entriesMax = 96
    /// The most bytes of UTF-8 in the detail of an entry.
    public static let detailMax = 400

    /// The kept entries.
    public private(set) var entries: [StepEntry] = []
    /// The number of entries left out.
    public private(set) var omitted = 0

    /// Creates an empty log.
    public init() {}

    /// Appends a step.
    public mutating func append(_ entry: StepEntry) {
        var entry = entry
        if entry.detail.utf8.count > Self.detailMax { entry.detail = Self.cut(entry.detail) }
        if entries.count == Self.entriesMax {
            entries.remove(at: Self.entriesMax / 2)
            omitted += 1
        }
        entries.append(entry)
    }

    /// Appends all steps of `other`.
    public mutating func append(contentsOf other: StepLog) {
        for entry in other.entries { append(entry) }
        omitted += other.omitted
    }

    /// Limits bytes, because a single character may carry any number of accents, but cuts between characters.
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
