import FoundationEssentials
public import StickerModel
public import StickerStore

extension JobRecord {
    /// Whether another round could help. The same link, or the same file of a foreign kind, is refused
    /// each time; what lies under its name later gets a job of its own.
    public var mayEndOtherwise: Bool {
        refusal?.reason != .unsupportedFormat && refusal?.reason != .notRegularFile
    }
}

extension JobState {
    /// The word for people.
    public var shown: String {
        switch self {
        case .available: "waiting"
        case .scheduled: "waiting (settling)"
        case .executing: "working"
        case .retryable: "will retry"
        case .completed: "done"
        case .cancelled: "cancelled"
        case .discarded: "refused"
        }
    }
}

extension Int64 {
    /// Milliseconds since 1970 as a date, in UTC.
    public var asDate: String {
        Date(timeIntervalSince1970: Double(self / 1000)).formatted(.iso8601)
    }

    /// How long ago, in milliseconds since 1970, that was.
    public var ago: String {
        let seconds = Int((Date().timeIntervalSince1970 * 1000 - Double(self)) / 1000)
        return Swift.max(0, seconds).asTime
    }
}
