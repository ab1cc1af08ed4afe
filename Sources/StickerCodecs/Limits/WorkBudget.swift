import Glibc
public import StickerModel

/// The time that one picture may take, so that none holds a worker for ever.
///
/// It is asked wherever time can go: at every row that is decoded, before and within every encode.
public final class WorkBudget {
    private let cpuSecondsMax: Int
    private let wallSecondsMax: Int
    private let cpuStart = WorkBudget.seconds(CLOCK_THREAD_CPUTIME_ID)
    private let wallStart = WorkBudget.seconds(CLOCK_MONOTONIC)

    /// Begins now, for the calling thread.
    public init(_ limits: DecodeLimits) {
        cpuSecondsMax = limits.cpuSecondsMax
        wallSecondsMax = limits.wallSecondsMax
    }

    /// Throws if it is used up.
    /// - Throws: `CodecError` `.outOfTime`.
    public func check(_ format: ImageFormat) throws(CodecError) {
        if Self.seconds(CLOCK_THREAD_CPUTIME_ID) - cpuStart > Double(cpuSecondsMax) {
            throw CodecError(
                .outOfTime, format, "making the sticker takes too much computing",
                measured: "more than \(cpuSecondsMax) s",
                limit: "\(cpuSecondsMax) s (limits.cpuSecondsMax)")
        }
        if Self.seconds(CLOCK_MONOTONIC) - wallStart > Double(wallSecondsMax) {
            throw CodecError(
                .outOfTime, format, "making the sticker takes too long",
                measured: "more than \(wallSecondsMax) s by the clock",
                limit: "\(wallSecondsMax) s (limits.wallSecondsMax)")
        }
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
