import Dispatch

/// A value that lives on a serial queue of its own; `perform` is the only way in.
///
/// A queue instead of a lock, so that the thread sanitizer sees what it orders: it knows Dispatch, but
/// not `Synchronization.Mutex`.
final class QueueConfined<State: Sendable>: @unchecked Sendable {
    // Unchecked because `state` is read and written only on `queue`.
    private let queue: DispatchQueue
    private var state: State

    init(_ state: State, label: String) {
        self.state = state
        queue = DispatchQueue(label: label)
    }

    /// Reads or changes the value; `body` must be short and must not call this again.
    func perform<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        try queue.sync { try body(&state) }
    }
}
