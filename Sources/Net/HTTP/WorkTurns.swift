import NIOCore
import NIOPosix
import Synchronization

/// Blocking work, as many pieces at once as there are threads for it, in turns by client. A client with much work
/// leaves one thread to others, if there are two.
final class WorkTurns: Sendable {
    private struct State {
        var free: Int
        /// Running pieces by client, and waiting ones.
        var working: [String: Int] = [:]
        var waiting: [String: CircularBuffer<@Sendable () -> Void>] = [:]
        /// Waiting clients, in the order of their turns.
        var turns = CircularBuffer<String>()

        /// Removes the pieces whose turn it is.
        mutating func begun(ofClientMax: Int) -> [@Sendable () -> Void] {
            var begun: [@Sendable () -> Void] = []
            for _ in 0..<turns.count where free > 0 {
                let client = turns.removeFirst()
                if working[client, default: 0] < ofClientMax,
                    let first = waiting[client]?.popFirst()
                {
                    free -= 1
                    working[client, default: 0] += 1
                    begun.append(first)
                }
                if waiting[client]?.isEmpty == true {
                    waiting[client] = nil
                } else {
                    turns.append(client)
                }
            }
            return begun
        }
    }

    private let ofClientMax: Int
    private let state: Mutex<State>

    /// - Parameter places: how many pieces run at once.
    init(places: Int) {
        ofClientMax = max(1, places - 1)
        state = Mutex(State(free: places))
    }

    /// Does a piece of work on a separate thread once it is its client's turn.
    ///
    /// - Parameters:
    ///   - client: identifies the client.
    ///   - isAwaited: whether its result is still needed.
    ///   - body: the work.
    /// - Returns: the result of `body`.
    /// - Throws: the errors of `body`, or `CancellationError`.
    func run<Value: Sendable>(
        for client: String, while isAwaited: @Sendable () -> Bool = { true },
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        await withCheckedContinuation { turn in enter(client) { turn.resume() } }
        defer { leave(client) }
        guard isAwaited() else { throw CancellationError() }
        return try await NIOThreadPool.singleton.runIfActive(body)
    }

    /// Calls `go` once it is the client's turn, which `leave` ends.
    func enter(_ client: String, _ go: @escaping @Sendable () -> Void) {
        change { state in
            if state.waiting[client] == nil { state.turns.append(client) }
            state.waiting[client, default: []].append(go)
        }
    }

    /// Ends a turn of a client.
    func leave(_ client: String) {
        change { state in
            state.free += 1
            let left = state.working[client, default: 0] - 1
            state.working[client] = left > 0 ? left : nil
        }
    }

    private func change(_ body: (inout State) -> Void) {
        let begun = state.withLock { state in
            body(&state)
            return state.begun(ofClientMax: ofClientMax)
        }
        for go in begun { go() }
    }
}
