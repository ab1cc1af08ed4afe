import Glibc

/// The clock that times the steps of a job.
public enum StepClock: Sendable {
    /// Wall-clock time, monotonic; for people.
    case wall
    /// The CPU time of the thread, for measurements unaffected by other programs.
    case threadCPU

    /// Milliseconds since an arbitrary moment.
    public var milliseconds: Double {
        var time = timespec()
        clock_gettime(self == .wall ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
    }
}
