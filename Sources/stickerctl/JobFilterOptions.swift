public import ArgumentParser
import FoundationEssentials
public import StickerModel
import StickerStore

/// Selects jobs; shared by the commands that list jobs.
struct JobFilterOptions: ParsableArguments {
    @Option(help: "Only this state: \(JobState.allCases.map(\.rawValue).joined(separator: ", ")).")
    var state: JobState?

    @Option(help: "Only this category, by id.")
    var category: String?

    @Option(help: "Only jobs that ended for this reason, 'corrupt' for example.")
    var reason: String?

    @Option(help: "Only this file or sticker: a path, also from the drop on, a name, or an id.")
    var file: String?

    @Option(
        help: "Only what was noticed since: 90s, 30m, 1h, 2d, or a time such as 2026-01-31T08:00Z.")
    var since: Moment?

    @Flag(help: "Only jobs that need attention.")
    var attention = false

    func filter(in store: JobStore) throws -> JobFilter {
        var filter = JobFilter()
        if let state { filter.states = [state] }
        filter.category = category.map { CategoryID(rawValue: $0) }
        filter.reason = reason
        filter.file = try file.map(store.known)
        filter.since = since?.milliseconds
        filter.needingAttention = attention
        return filter
    }
}

/// A time on the command line: a duration before now, or a date.
struct Moment: ExpressibleByArgument {
    /// Counted from 1970.
    var milliseconds: Int64

    init?(argument: String) {
        let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600, "d": 86400]
        let now = Date().timeIntervalSince1970
        if let unit = argument.last.flatMap({ units[$0] }),
            let count = Double(argument.dropLast()), count >= 0, count < 1e6
        {
            milliseconds = Int64((now - count * unit) * 1000)
        } else if let seconds = Self.date(argument) {
            milliseconds = Int64(seconds * 1000)
        } else {
            return nil
        }
    }

    /// `2026-01-31`, `2026-01-31T08:00Z` or `2026-01-31T08:00:00Z`, in UTC.
    private static func date(_ text: String) -> Double? {
        let whole = [text, text + "T00:00:00Z", text.replacing("Z", with: ":00Z")]
        return whole.lazy.compactMap { try? Date($0, strategy: .iso8601) }.first?
            .timeIntervalSince1970  // a text in none of these forms is not a date
    }
}

extension JobState: ExpressibleByArgument {}
