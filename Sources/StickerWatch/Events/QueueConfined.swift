import Dispatch

/// A value that lives on a serial queue of its own; `perform` is the only way in.
///
/// A queue and not a lock, so that the thread sanitizer sees what it orders: it knows Dispatch and
/// does not know `Synchronization.Mutex`.
final class QueueConfined<State: Sendable>: @unchecked Sendable {
    // Unchecked because `state` is read and written on `queue` alone.
    private let queue: DispatchQueue
    private var state: State

    init(_ state: State, label: String) {
        self.state = state
        queue = DispatchQueue(label: label)
    }

    /// Reads or changes the value; `body` must be short and must not come back here.
    func perform<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        try queue.sync { try body(&state) }
    }
}
