import Glibc
import StickerSystem
import StickerValues
import Synchronization

/// Divides memory among all workers. A request waits until there is enough; one is always let through, so that too
/// small a budget slows the work down instead of stopping it.
final class MemoryBudget: Sendable {
    /// Waiting is rare, and a wait takes seconds.
    private static let lookMicroseconds: UInt32 = 20_000

    private struct State {
        var taken = 0
        /// The waiting requests, in order: none passes another, or a large one would wait forever.
        var tickets: [Int] = []
        var lastTicket = 0
    }

    private let state = Mutex(State())
    private let half: Int

    /// - Parameter available: the memory that the process may use; measured by default.
    init(available: Int = MemoryBudget.available()) { half = available / 2 }

    /// Waits for `bytes` out of `total`; a `total` of 0 means half of the memory that the process may use.
    ///
    /// - Returns: `false`, with nothing taken, if `isTired` returns true first.
    func take(_ bytes: Int, of total: Int, unless isTired: () -> Bool) -> Bool {
        let total = total > 0 ? total : half
        let ticket = state.withLock { state in
            state.lastTicket += 1
            state.tickets.append(state.lastTicket)
            return state.lastTicket
        }
        defer { state.withLock { $0.tickets.removeAll { $0 == ticket } } }
        while !takeNow(bytes, of: total, ticket) {
            if isTired() { return false }
            usleep(Self.lookMicroseconds)
        }
        return true
    }

    /// How many requests are waiting.
    var waiting: Int { state.withLock { $0.tickets.count } }

    private func takeNow(_ bytes: Int, of total: Int, _ ticket: Int) -> Bool {
        state.withLock { state in
            guard state.tickets.first == ticket, state.taken == 0 || state.taken + bytes <= total
            else { return false }
            state.taken += bytes
            return true
        }
    }

    func giveBack(_ bytes: Int) { state.withLock { $0.taken -= bytes } }

    /// The memory of the machine, or of the control group if that allows less, in bytes.
    static func available() -> Int {
        let machine = sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE))
        return min(machine, ControlGroup.memoryMax() ?? machine)
    }
}

/// The limits of this process's control group (cgroup v2).
enum ControlGroup {
    /// The lowest `memory.max` of the group and its parents; `nil` if none sets one.
    static func memoryMax() -> Int? {
        guard
            let line = text("/proc/self/cgroup")?.split(separator: "\n").first(where: {
                $0.hasPrefix("0::")
            })
        else { return nil }
        var parts = line.dropFirst(3).split(separator: "/")
        var limits: [Int] = []
        while true {
            let folder = (["/sys/fs/cgroup"] + parts.map(String.init)).joined(separator: "/")
            if let limit = text("\(folder)/memory.max").flatMap({ Int($0.dropLast()) }) {
                limits.append(limit)
            }
            guard parts.popLast() != nil else { return limits.min() }
        }
    }

    private static func text(_ path: String) -> String? {
        // A group that sets no limit has no such file.
        let bytes = try? Descriptor(path, O_RDONLY).readToEnd(path: path)
        return bytes.map { String(decoding: $0, as: UTF8.self) }
    }
}
