import Synchronization

/// Tells open pages which state of the library there is. What a page did not take in time is left out: the latest state is
/// all that it needs.
final class ChangeFeed: Sendable {
    /// More pages are told to come back later: each holds a connection.
    private static let listenersMax = 2000
    /// A state is repeated after this time, so that a page whose connection died is noticed.
    private static let silenceMax = Duration.seconds(10)

    private struct Listener {
        let client: String
        let stream: AsyncStream<String>.Continuation
    }

    private struct State {
        var mark = ""
        var toldAt = ContinuousClock.now
        var listeners: [Int: Listener] = [:]
        var next = 0
    }

    private let listenersOfAClientMax: Int
    private let state = Mutex(State())

    /// - Parameter listenersOfAClientMax: a client has a few pages open.
    init(listenersOfAClientMax: Int = 64) { self.listenersOfAClientMax = listenersOfAClientMax }

    /// Tells everybody a state that is new, or was last told a while ago.
    func tell(_ mark: String, now: ContinuousClock.Instant = .now) {
        let listeners = state.withLock { state -> [Listener] in
            guard state.mark != mark || state.toldAt + Self.silenceMax <= now else { return [] }
            (state.mark, state.toldAt) = (mark, now)
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.stream.yield(mark) }
    }

    /// How many listen.
    var count: Int { state.withLock { $0.listeners.count } }

    /// The present state, and those that follow.
    ///
    /// - Parameters:
    ///   - client: tells a client from others.
    ///   - share: how many clients it counts as.
    ///   - onEnd: is called when it listens no more.
    /// - Returns: `nil` if too many listen.
    func listen(
        client: String, share: Int = 1, onEnd: @escaping @Sendable () -> Void = {}
    ) -> AsyncStream<String>? {
        let (stream, continuation) = AsyncStream.makeStream(
            of: String.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state -> Int? in
            guard state.listeners.count < Self.listenersMax,
                state.listeners.values.count(where: { $0.client == client })
                    < listenersOfAClientMax * share
            else { return nil }
            state.next += 1
            state.listeners[state.next] = Listener(client: client, stream: continuation)
            continuation.yield(state.mark)
            return state.next
        }
        guard let number else { return nil }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { $0.listeners[number] = nil }
            onEnd()
        }
        return stream
    }
}
