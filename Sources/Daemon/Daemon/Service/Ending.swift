import Dispatch
import Synchronization

/// Why and when the daemon ends.
final class Ending: Sendable {
    /// Why it ends.
    enum Reason: Sendable {
        /// A signal asked for it.
        case signal
        /// In drain mode: nothing is left to do.
        case drained
        /// In drain mode: the system lacks something, such as space, and nothing will fix that.
        case stuck
        /// The database is damaged or was removed; only a restart helps.
        case damaged
    }

    private let state = Mutex((reason: Reason?.none, signals: 0))
    private let decided = DispatchSemaphore(value: 0)

    /// Decides the end and returns whether it was still undecided.
    @discardableResult
    func decide(_ reason: Reason) -> Bool {
        let isFirst = state.withLock { state in
            guard state.reason == nil else { return false }
            state.reason = reason
            return true
        }
        if isFirst { decided.signal() }
        return isFirst
    }

    /// A signal arrived; the second one also ends the wait for running jobs.
    func requestStop() {
        state.withLock { $0.signals += 1 }
        decide(.signal)
    }

    /// Waits for the decision.
    func wait() -> Reason {
        decided.wait()
        return state.withLock { $0.reason } ?? .signal
    }

    /// Whether the end is decided.
    var isDecided: Bool { state.withLock { $0.reason != nil } }

    /// Whether a signal arrived, even after another end was decided, or the database has become unusable.
    var isInterrupted: Bool { state.withLock { $0.signals > 0 || $0.reason == .damaged } }

    /// Whether a second signal arrived, or results of running jobs cannot be kept anyway.
    var isUrgent: Bool { state.withLock { $0.signals > 1 || $0.reason == .damaged } }
}
