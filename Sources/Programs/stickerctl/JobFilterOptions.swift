import ArgumentParser
import FoundationEssentials
import StickerStore
import StickerValues

/// Selects jobs; shared by the commands that list jobs.
struct JobFilterOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Only this state: \(StateChoice.all.joined(separator: ", ")).", valueName: "state"))
    var state: StateChoice?

    @Option(help: "Only this category, by id.")
    var category: String?

    @Option(help: "Only jobs that ended for this reason, 'corrupt' for example.")
    var reason: String?

    @Option(help: "Only files and stickers with this in their name or id, or with this path.")
    var file: String?

    @Option(
        help: "Only files noticed since: 90s, 30m, 1h, 2d, or a time such as 2026-01-31T08:00Z.")
    var since: Moment?

    @Flag(help: "Only jobs that need attention.")
    var attention = false

    func filter(in store: LibraryStore) throws -> JobFilter {
        var filter = JobFilter()
        if let state { filter.states = state.states }
        filter.category = category.map { CategoryID(rawValue: $0) }
        try store.checkReason(reason)
        filter.reason = reason
        filter.search = try file.map(store.standing)
        filter.since = since?.time
        filter.needingAttention = attention
        return filter
    }
}

/// A time on the command line: a duration before now, or a date.
struct Moment: ExpressibleByArgument {
    var time: Timestamp

    init?(argument: String) {
        let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600, "d": 86400]
        let now = Date().timeIntervalSince1970
        if let unit = argument.last.flatMap({ units[$0] }),
            let count = Double(argument.dropLast()), count >= 0, count < 1e6
        {
            time = Timestamp(milliseconds: Int64((now - count * unit) * 1000))
        } else if let date = Self.date(argument) {
            time = date
        } else {
            return nil
        }
    }

    /// `2026-01-31`, `2026-01-31T08:00Z` or `2026-01-31T08:00:00Z`, in UTC.
    private static func date(_ text: String) -> Timestamp? {
        [text, text + "T00:00:00Z", text.replacing("Z", with: ":00Z")]
            .lazy.compactMap(Timestamp.init).first
    }
}

/// States on the command line: by their names, or by the words that lists show.
struct StateChoice: ExpressibleByArgument {
    var states: Set<JobState>

    init?(argument: String) {
        states = Set(
            JobState.allCases.filter { $0.rawValue == argument || $0.words.contains(argument) })
        guard !states.isEmpty else { return nil }
    }

    /// Every name and word.
    static var all: [String] {
        let words = JobState.allCases.flatMap(\.words).sorted()
        return JobState.allCases.map(\.rawValue)
            + words.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}

extension JobState {
    /// The words of lists, without parts in brackets.
    fileprivate var words: [String] {
        switch self {
        case .available, .scheduled: ["waiting"]
        case .executing: ["working"]
        case .retryable: ["waiting", "will-retry"]
        case .completed: ["done"]
        case .cancelled: []
        case .discarded: ["refused", "attention"]
        }
    }
}
