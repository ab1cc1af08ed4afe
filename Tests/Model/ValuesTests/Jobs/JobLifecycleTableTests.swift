import StickerValues
import Testing

/// The whole table of states and events: what the diagram of `JobLifecycle` allows leads to the state
/// that it shows, and everything else traps.
struct JobLifecycleTableTests {
    typealias Event = JobLifecycle.Event

    static let events: [Event] = [
        .sighted(delay: .seconds(1)), .due, .claimed, .arriving(delay: .seconds(1)), .released,
        .rescued, .workerFailed, .published, .refused, .failed, .cancelled, .retried,
    ]

    /// Where an event leads from each state in which it is possible. There is no default: a new event
    /// needs a row here.
    static func targets(of event: Event) -> [JobState: JobState] {
        switch event {
        case .sighted: [.available: .scheduled, .scheduled: .scheduled, .retryable: .scheduled]
        case .due: [.scheduled: .available, .retryable: .available]
        case .claimed: [.available: .executing]
        case .arriving: [.executing: .scheduled]
        case .released, .rescued, .workerFailed: [.executing: .available]
        case .published: [.executing: .completed]
        case .refused: [.executing: .discarded]
        case .failed: [.executing: .retryable]
        case .cancelled:
            [
                .available: .cancelled, .scheduled: .cancelled, .executing: .cancelled,
                .retryable: .cancelled, .discarded: .cancelled,
            ]
        case .retried:
            [
                .scheduled: .available, .retryable: .available, .completed: .available,
                .cancelled: .available, .discarded: .available,
            ]
        }
    }

    /// One field of the table. An exit test hands it to another process, so it is coded: the event by
    /// its place in `events`.
    struct Pair: Codable, Sendable, CustomTestStringConvertible {
        var event: Int
        var state: JobState

        var target: JobState? { targets(of: events[event])[state] }

        func happens() -> JobState {
            JobLifecycle(state: state, attempt: 1)
                .after(events[event], retryDelays: [.seconds(1)]).state
        }

        var testDescription: String { "\(events[event]) while \(state)" }
    }

    static let pairs = events.indices.flatMap { event in
        JobState.allCases.map { Pair(event: event, state: $0) }
    }

    @Test func tableIsComplete() {
        let possible = Self.pairs.filter { $0.target != nil }

        #expect(Self.pairs.count == 12 * 7)
        #expect(possible.count == 23)
    }

    @Test(arguments: pairs.filter { $0.target != nil })
    func possibleEventLeadsWhereTheDiagramSays(pair: Pair) {
        let state = pair.happens()

        #expect(state == pair.target)
    }

    @Test(arguments: pairs.filter { $0.target == nil })
    func impossibleEventTraps(pair: Pair) async {
        await #expect(processExitsWith: .failure) { [pair] in
            _ = pair.happens()
        }
    }
}
