import Synchronization

/// Tells open pages which generation of the library there is. What a page did not take in time is left out: the latest
/// number is all that it needs.
final class ChangeFeed: Sendable {
    /// More pages are told to come back later: each holds a connection.
    private static let listenersMax = 2000
    /// A number is repeated after this time, so that a page whose connection died is noticed.
    private static let silenceMax = Duration.seconds(10)

    private struct State {
        var generation = 0
        var toldAt = ContinuousClock.now
        var listeners: [Int: AsyncStream<Int>.Continuation] = [:]
        var next = 0
    }

    private let state = Mutex(State())

    /// Tells everybody a generation that is new, or was last told a while ago.
    func tell(_ generation: Int, now: ContinuousClock.Instant = .now) {
        let listeners = state.withLock { state -> [AsyncStream<Int>.Continuation] in
            guard state.generation != generation || state.toldAt + Self.silenceMax <= now else {
                return []
            }
            (state.generation, state.toldAt) = (generation, now)
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.yield(generation) }
    }

    /// How many listen.
    var count: Int { state.withLock { $0.listeners.count } }

    /// The present generation, and those that follow; `nil` if too many listen.
    func listen() -> AsyncStream<Int>? {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Int.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state -> Int? in
            guard state.listeners.count < Self.listenersMax else { return nil }
            state.next += 1
            state.listeners[state.next] = continuation
            continuation.yield(state.generation)
            return state.next
        }
        guard let number else { return nil }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { $0.listeners[number] = nil }
        }
        return stream
    }
}
