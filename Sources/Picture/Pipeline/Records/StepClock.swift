import Glibc

/// The clock of steps: wall-clock time, and CPU time of the thread or of the process.
public enum StepClock: Sendable {
    /// With the CPU time of the calling thread, for a process that does other work as well.
    case thread
    /// With that of the whole process, for one that makes a single picture: some decoders start threads.
    case process

    /// The current time.
    public var now: StepTime {
        // Under a limit of CPU time, the kernel tells that of a process as of its last tick (4 ms apart), and the
        // question for that of the thread brings it up to date: __thread_group_cputime in kernel/time/posix-cpu-timers.c.
        let ofThread = Self.milliseconds(CLOCK_THREAD_CPUTIME_ID)
        let cpu = self == .thread ? ofThread : Self.milliseconds(CLOCK_PROCESS_CPUTIME_ID)
        return StepTime(wall: Self.wall, cpu: cpu)
    }

    /// The wall-clock part of `now` alone, which needs no system call.
    static var wall: Double { milliseconds(CLOCK_MONOTONIC) }

    private static func milliseconds(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
    }
}

/// Milliseconds on both parts of a `StepClock`: since an arbitrary moment, or between two.
public struct StepTime: Sendable {
    /// Wall-clock time, monotonic.
    public var wall: Double
    /// CPU time.
    public var cpu: Double

    /// The time from `start` to `end`.
    public static func - (end: StepTime, start: StepTime) -> StepTime {
        StepTime(wall: end.wall - start.wall, cpu: end.cpu - start.cpu)
    }

    static func += (sum: inout StepTime, time: StepTime) {
        sum.wall += time.wall
        sum.cpu += time.cpu
    }

    /// A part that took `wall` milliseconds, with as large a part of the CPU time.
    func part(wall part: Double) -> StepTime {
        StepTime(wall: part, cpu: wall > 0 ? cpu * part / wall : 0)
    }
}
