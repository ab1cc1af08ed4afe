import Glibc

/// The two clocks of the store; tests use their own.
public struct StoreClock: Sendable {
    /// Milliseconds that only count up, even while the machine sleeps: for waiting times.
    public var boot: @Sendable () -> Int64
    /// Milliseconds since 1970: for displayed times and retention times.
    public var wall: @Sendable () -> Int64

    /// Creates a pair of clocks.
    public init(boot: @escaping @Sendable () -> Int64, wall: @escaping @Sendable () -> Int64) {
        self.boot = boot
        self.wall = wall
    }

    /// `CLOCK_BOOTTIME` and `CLOCK_REALTIME`.
    public static let system = StoreClock(
        boot: { milliseconds(CLOCK_BOOTTIME) }, wall: { milliseconds(CLOCK_REALTIME) })

    private static func milliseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}

/// One moment on both clocks.
struct Moment {
    var boot: Int64
    var wall: Int64
}

extension Duration {
    /// Whole milliseconds, rounded down.
    var milliseconds: Int64 {
        components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }
}
