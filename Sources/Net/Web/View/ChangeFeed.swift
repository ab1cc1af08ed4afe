import StickerHTTP
import Synchronization

/// Notifies open pages of the state of the library. A page that reads slowly skips states: it needs only the latest.
final class ChangeFeed: Sendable {
    /// The most pages: each holds a connection.
    private static let listenersMax = 2000
    /// A state is repeated after this time, so that dead connections are noticed.
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

    /// Sends a state that is new, or was last sent a while ago, to all pages.
    func tell(_ mark: String, now: ContinuousClock.Instant = .now) {
        let listeners = state.withLock { state -> [Listener] in
            guard state.mark != mark || state.toldAt + Self.silenceMax <= now else { return [] }
            (state.mark, state.toldAt) = (mark, now)
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.stream.yield(mark) }
    }

    var count: Int { state.withLock { $0.listeners.count } }

    /// The current state, and later ones.
    ///
    /// - Parameters:
    ///   - client: identifies the client.
    ///   - share: how many clients it counts as.
    ///   - onEnd: called when it no longer listens.
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

extension Answer {
    /// The states of a feed; `WebError` if there is none, as too many pages listen.
    static func events(_ changes: AsyncStream<String>?) throws -> Answer {
        guard let changes else {
            throw WebError(
                status: 503, message: "too many pages are open", remedy: "try again in a minute",
                headers: [("Retry-After", "60")])
        }
        // A proxy must pass each event on at once.
        return Answer(
            200,
            [
                ("Content-Type", "text/event-stream"), ("Cache-Control", "no-store"),
                ("X-Accel-Buffering", "no"),
            ], .changes(changes))
    }
}
