import Glibc
public import StickerValues

/// The CPU time for one picture, so that none occupies a worker forever.
///
/// It is checked wherever time can pass: at every decoded row, before and during every encode.
public final class WorkBudget {
    private let cpuSecondsMax: Double
    private let limits: DecodeLimits
    private let cpuStart = WorkBudget.cpuSeconds

    /// Creates a budget that begins now, for the calling thread.
    public convenience init(_ limits: DecodeLimits) {
        self.init(limits, cpuSecondsMax: Double(limits.cpuSecondsMax))
    }

    private init(_ limits: DecodeLimits, cpuSecondsMax: Double) {
        self.limits = limits
        self.cpuSecondsMax = cpuSecondsMax
    }

    /// Creates a budget that begins now, with the remaining time divided by `parts`, so that one part cannot use up the
    /// others' time.
    public func share(of parts: Int) -> WorkBudget {
        precondition(parts > 0)
        let cpuLeft = cpuSecondsMax - (Self.cpuSeconds - cpuStart)
        return WorkBudget(limits, cpuSecondsMax: max(0, cpuLeft) / Double(parts))
    }

    /// Throws if the budget is used up.
    /// - Throws: `CodecError` `.outOfTime`.
    public func check(_ format: ImageFormat) throws(CodecError) {
        guard isUsedUp else { return }
        let whole = limits.cpuSecondsMax
        let share =
            cpuSecondsMax == Double(whole)
            ? "" : "\(cpuSecondsMax.inSeconds), one target's share of "
        throw CodecError(
            .outOfTime, format, "making the sticker takes too much CPU time",
            measured: "more than \(cpuSecondsMax.inSeconds)",
            limit: "\(share)\(whole) s (limits.cpuSecondsMax)")
    }

    /// Whether `check` would throw.
    var isUsedUp: Bool { Self.cpuSeconds - cpuStart > cpuSecondsMax }

    private static var cpuSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

extension Double {
    /// `60 s`, `3.5 s`
    fileprivate var inSeconds: String { "\(asFigure) s" }
}
