import Dispatch

/// A value confined to its own serial queue; `perform` is the only access.
///
/// A queue instead of a lock, because the thread sanitizer knows Dispatch, but not `Synchronization.Mutex`.
final class QueueConfined<State: Sendable>: @unchecked Sendable {
    // Unchecked because `state` is read and written only on `queue`.
    private let queue: DispatchQueue
    private var state: State

    init(_ state: State, label: String) {
        self.state = state
        queue = DispatchQueue(label: label)
    }

    /// Reads or changes the value; `body` must be short and must not call `perform`.
    func perform<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        try queue.sync { try body(&state) }
    }
}
