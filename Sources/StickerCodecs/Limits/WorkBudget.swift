import Glibc
public import StickerModel

/// The time that one picture may take, so that none holds a worker for ever.
///
/// It is asked wherever time can go: at every row that is decoded, before and within every encode.
public final class WorkBudget {
    private let cpuSecondsMax: Double
    private let wallSecondsMax: Double
    private let limits: DecodeLimits
    private let cpuStart = WorkBudget.seconds(CLOCK_THREAD_CPUTIME_ID)
    private let wallStart = WorkBudget.seconds(CLOCK_MONOTONIC)

    /// Begins now, for the calling thread.
    public convenience init(_ limits: DecodeLimits) {
        self.init(
            limits, cpuSecondsMax: Double(limits.cpuSecondsMax),
            wallSecondsMax: Double(limits.wallSecondsMax))
    }

    private init(_ limits: DecodeLimits, cpuSecondsMax: Double, wallSecondsMax: Double) {
        self.limits = limits
        self.cpuSecondsMax = cpuSecondsMax
        self.wallSecondsMax = wallSecondsMax
    }

    /// A budget that begins now, of the CPU time that is left divided by `parts`, so that one part cannot
    /// take the time of the others. The time by the clock stays that of all: what a busy machine makes
    /// slow is no reason to leave a part out.
    public func share(of parts: Int) -> WorkBudget {
        precondition(parts > 0)
        let cpuLeft = cpuSecondsMax - (Self.seconds(CLOCK_THREAD_CPUTIME_ID) - cpuStart)
        let wallLeft = wallSecondsMax - (Self.seconds(CLOCK_MONOTONIC) - wallStart)
        return WorkBudget(
            limits, cpuSecondsMax: max(0, cpuLeft) / Double(parts),
            wallSecondsMax: max(0, wallLeft))
    }

    /// Throws if it is used up.
    /// - Throws: `CodecError` `.outOfTime`.
    public func check(_ format: ImageFormat) throws(CodecError) {
        if Self.seconds(CLOCK_THREAD_CPUTIME_ID) - cpuStart > cpuSecondsMax {
            throw CodecError(
                .outOfTime, format, "making the sticker takes too much computing",
                measured: "more than \(cpuSecondsMax.inSeconds)",
                limit: limit(cpuSecondsMax, limits.cpuSecondsMax, "limits.cpuSecondsMax"))
        }
        if Self.seconds(CLOCK_MONOTONIC) - wallStart > wallSecondsMax {
            throw CodecError(
                .outOfTime, format, "making the sticker takes too long",
                measured: "more than \(wallSecondsMax.inSeconds) by the clock",
                limit: limit(wallSecondsMax, limits.wallSecondsMax, "limits.wallSecondsMax"))
        }
    }

    private func limit(_ seconds: Double, _ whole: Int, _ key: String) -> String {
        seconds == Double(whole)
            ? "\(whole) s (\(key))"
            : "\(seconds.inSeconds), the part of one target in \(whole) s (\(key))"
    }

    /// Whether `check` would throw.
    var isUsedUp: Bool {
        do throws(CodecError) {
            try check(.webp)
            return false
        } catch {
            return true
        }
    }

    private static func seconds(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

extension Double {
    /// `60 s`, `3.5 s`
    fileprivate var inSeconds: String { "\(asFigure) s" }
}
