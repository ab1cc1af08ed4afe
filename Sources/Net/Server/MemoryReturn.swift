import CLinux
import Dispatch
import Synchronization

/// Gives memory back to the system once far less is in use than before: the C library would keep it for the next rush.
final class MemoryReturn: Sendable {
    private let leastPeak: Int
    private let peak = Mutex(0)
    private let queue = DispatchQueue(label: "stickerd.memory", qos: .utility)

    /// - Parameter leastPeak: the level from which on it is worth while.
    init(leastPeak: Int) { self.leastPeak = leastPeak }

    /// Notes how much is in use, in any unit.
    func level(_ level: Int) {
        let isFarLess = peak.withLock { peak in
            guard peak >= leastPeak, level <= peak / 2 else {
                peak = max(peak, level)
                return false
            }
            peak = level
            return true
        }
        guard isFarLess else { return }
        // A connection that was closed lets go of what it holds a moment later.
        queue.asyncAfter(deadline: .now() + 1) { clinux_return_free_memory() }
    }
}
