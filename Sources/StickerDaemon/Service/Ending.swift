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
        /// In drain mode: the system lacks something, such as space, and nobody will mend it.
        case stuck
        /// The database is damaged or was removed; only another start can set that right.
        case damaged
    }

    private let state = Mutex((reason: Reason?.none, signals: 0))
    private let decided = DispatchSemaphore(value: 0)

    /// Decides the end; whether it was not decided yet.
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

    /// A signal came; the second one also ends the wait for running jobs.
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

    /// Whether somebody asked twice, or nothing that is waited for can be kept.
    var isUrgent: Bool { state.withLock { $0.signals > 1 || $0.reason == .damaged } }
}
