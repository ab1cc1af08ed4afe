package import Dispatch

/// A value that lives on one serial queue: `perform` and `async` are called from outside, `confined` from the queue.
///
/// A queue instead of a lock, because the thread sanitizer knows Dispatch, but not `Synchronization.Mutex`.
package final class QueueConfined<State>: @unchecked Sendable {
    // Unchecked because `state` is read and written only inside `queue`.
    private let queue: DispatchQueue
    private var state: State

    package init(_ state: sending State, on queue: DispatchQueue) {
        self.state = state
        self.queue = queue
    }

    /// Confines `state` to a queue of its own.
    package convenience init(_ state: sending State, label: String) {
        self.init(state, on: DispatchQueue(label: label))
    }

    /// Runs `body` on the queue and waits for it.
    package func perform<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        dispatchPrecondition(condition: .notOnQueue(queue))
        return try queue.sync { try body(&state) }
    }

    /// Runs `body` at once; the caller is already on the queue.
    package func confined<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        dispatchPrecondition(condition: .onQueue(queue))
        return try body(&state)
    }

    /// Runs `body` on the queue soon.
    package func async(_ body: @escaping @Sendable (inout State) -> Void) {
        queue.async { [self] in body(&state) }
    }
}
