import Dispatch

/// State that lives on one serial queue: `perform` is called from outside, `confined` from the queue.
final class QueueConfined<State>: @unchecked Sendable {
    // Unchecked because `state` is read and written only inside `queue`.
    private let queue: DispatchQueue
    private var state: State

    init(_ state: sending State, on queue: DispatchQueue) {
        self.state = state
        self.queue = queue
    }

    /// Runs `body` on the queue and waits for it.
    func perform<Result: Sendable>(
        _ body: @Sendable (inout State) throws -> Result
    ) rethrows -> Result {
        dispatchPrecondition(condition: .notOnQueue(queue))
        return try queue.sync { try body(&state) }
    }

    /// Runs `body` at once; the caller is already on the queue.
    func confined<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        dispatchPrecondition(condition: .onQueue(queue))
        return try body(&state)
    }
}
