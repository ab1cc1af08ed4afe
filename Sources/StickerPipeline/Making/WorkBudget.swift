import Glibc
import StickerModel

/// The CPU time that one picture may take, so that none holds a worker for ever.
struct WorkBudget {
    private let seconds: Int
    private let start = WorkBudget.threadSeconds

    /// Begins now, for the calling thread.
    init(_ limits: DecodeLimits) { seconds = limits.cpuSecondsMax }

    /// Throws where it is used up.
    func check() throws(Refusal) {
        guard Self.threadSeconds - start > Double(seconds) else { return }
        throw Refusal(
            .tooComplex, "making the sticker takes too much computing",
            measured: "more than \(seconds) s", limit: "\(seconds) s (limits.cpuSecondsMax)",
            remedy: "leave out frames, or make it smaller or less noisy")
    }

    private static var threadSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
