/// What keeps the daemon from its work just now, and what of that is news.
///
/// A full disk shows in several ways and at every file. Its beginning and its end are told, and nothing
/// between; of what goes wrong beside the work only what lasts.
struct Obstacles {
    /// Who meets it.
    enum Kind: CaseIterable {
        /// Below the reserve no job starts.
        case space
        /// Jobs find that the system lacks something.
        case system
        /// Results cannot be booked.
        case store
        /// What was seen cannot be recorded.
        case intake
        /// A manifest cannot be written; jobs go on.
        case manifests
        /// Something that is looked after fails; jobs go on.
        case upkeep
        /// The figures cannot be told; jobs go on.
        case figures

        /// Whether work rests because of it.
        var pauses: Bool {
            switch self {
            case .space, .system, .store, .intake: true
            case .manifests, .upkeep, .figures: false
            }
        }
    }

    /// What is worth a line in the log.
    enum News: Hashable {
        case paused(String)
        case resumed
        case failing(String)
        case working
    }

    private struct Entry {
        var line: String
        var since: ContinuousClock.Instant
        var isTold = false
    }

    /// How long something beside the work must fail before it is told.
    private static let patience = Duration.seconds(5)

    private var entries: [Kind: Entry] = [:]

    /// Why no jobs start; `nil` where they do.
    var pause: String? {
        Kind.allCases.lazy.filter(\.pauses).compactMap { entries[$0]?.line }.first
    }

    /// Notes that something is in the way, or with `nil` that it is not any more.
    mutating func set(_ kind: Kind, _ line: String?, now: ContinuousClock.Instant) -> News? {
        guard let line else { return clear(kind, now) }
        guard entries[kind] == nil else {
            entries[kind]?.line = line
            return nil
        }
        let isFirst = pause == nil
        entries[kind] = Entry(line: line, since: now)
        return kind.pauses && isFirst ? .paused(line) : nil
    }

    private mutating func clear(_ kind: Kind, _ now: ContinuousClock.Instant) -> News? {
        guard let entry = entries.removeValue(forKey: kind) else { return nil }
        guard kind.pauses || entry.isTold else { return nil }
        guard !kind.pauses || pause == nil else { return nil }
        // What failed for the same reason gets the time to find out that it is over.
        for kind in entries.keys { entries[kind]?.since = now }
        return kind.pauses ? .resumed : .working
    }

    /// Looks, now and then, for what has failed for long.
    mutating func look(now: ContinuousClock.Instant) -> News? {
        guard pause == nil,
            let (kind, entry) = entries.first(where: {
                !$0.value.isTold && now - $0.value.since >= Self.patience
            })
        else { return nil }
        entries[kind]?.isTold = true
        return .failing(entry.line)
    }
}
