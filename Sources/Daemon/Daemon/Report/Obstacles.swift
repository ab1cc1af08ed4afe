/// Obstacles that currently keep the daemon from its work, and which of them are news.
///
/// A full disk shows up in several ways and at every file. Only its beginning and its end are reported; failures that
/// do not stop the work are reported only if they last.
struct Obstacles {
    /// The affected part of the work.
    enum Kind: String, CaseIterable {
        /// No job starts, because `out` is missing or was replaced.
        case out
        /// No job starts, because free space is below the reserve.
        case space
        /// Jobs fail because the system lacks something.
        case system
        /// Results cannot be recorded.
        case store
        /// Findings of the watcher cannot be recorded.
        case intake
        /// A manifest cannot be written; jobs continue.
        case manifests
        /// Packs cannot be written; jobs continue.
        case packs
        /// A recurring chore fails; jobs continue.
        case upkeep
        /// The figures cannot be stored; jobs continue.
        case figures

        /// Whether it pauses the work.
        var pauses: Bool {
            switch self {
            case .out, .space, .system, .store, .intake: true
            case .manifests, .packs, .upkeep, .figures: false
            }
        }
    }

    /// Changes worth a log line.
    enum News: Hashable {
        case paused(String)
        /// Work goes on after this time.
        case resumed(after: Duration)
        case failing(String)
        case working
    }

    private struct Entry {
        var line: String
        var since: ContinuousClock.Instant
        var isTold = false
    }

    /// How long a failure that does not stop the work must last before it is reported.
    private static let patience = Duration.seconds(5)

    private var entries: [Kind: Entry] = [:]
    private var pausedAt: ContinuousClock.Instant?

    /// Why no jobs start; `nil` if they may.
    var pause: String? {
        Kind.allCases.lazy.filter(\.pauses).compactMap { entries[$0]?.line }.first
    }

    /// Whether there is an obstacle of this kind.
    func has(_ kind: Kind) -> Bool { entries[kind] != nil }

    /// Sets an obstacle, or removes it with `nil`.
    mutating func set(_ kind: Kind, _ line: String?, now: ContinuousClock.Instant) -> News? {
        guard let line else { return clear(kind, now) }
        guard entries[kind] == nil else {
            entries[kind]?.line = line
            return nil
        }
        let isFirst = pause == nil
        entries[kind] = Entry(line: line, since: now)
        // A job may have failed because of a missing `out` before that was noticed, and without naming the remedy.
        guard kind.pauses, isFirst || kind == .out else { return nil }
        if isFirst { pausedAt = now }
        return .paused(line)
    }

    private mutating func clear(_ kind: Kind, _ now: ContinuousClock.Instant) -> News? {
        guard let entry = entries.removeValue(forKey: kind) else { return nil }
        guard kind.pauses || entry.isTold else { return nil }
        guard !kind.pauses || pause == nil else { return nil }
        // Other failures with the same cause get time to recover, too.
        for kind in entries.keys { entries[kind]?.since = now }
        return kind.pauses ? .resumed(after: now - (pausedAt ?? now)) : .working
    }

    /// Checks for a failure that has lasted for a while.
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
