import CLinux
import Dispatch
import Synchronization

/// Returns memory to the system once far less is in use than before: the C library would keep it for the next peak.
final class MemoryReturn: Sendable {
    private let leastPeak: Int
    private let peak = Mutex(0)
    private let queue = DispatchQueue(label: "stickerd.memory", qos: .utility)

    /// - Parameter leastPeak: the lowest peak after which it is worthwhile.
    init(leastPeak: Int) { self.leastPeak = leastPeak }

    /// Notes the memory in use, in any unit.
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
        // A closed connection frees its memory a moment later.
        queue.asyncAfter(deadline: .now() + 1) { clinux_return_free_memory() }
    }
}
