import CLinux
import Glibc
import StickerValues

/// The time limits of a worker. The kernel enforces CPU time, see `WorkerAllowance`; these are for a worker that sleeps.
/// Waiting for a processor counts for nothing: the machine may be busy.
struct WorkerTime: Hashable {
    /// A worker that uses no CPU time for this long, and does not wait for any, hangs.
    static let idleSecondsMax = 10
    /// A worker may sleep this many times the CPU time that it may take.
    static let sleepFactor = 10
    /// CPU time for the first attempt to draw an SVG. The slowest icons of Breeze take 0.2 s, measured in 2026.
    static let drawingSeconds = 3

    var idleSeconds = idleSecondsMax
    var sleepSeconds: Int
    /// CPU time until the picture is decoded; `nil` for the whole time that the limits allow.
    var drawingSeconds: Int?

    /// The time of a worker under `limits`.
    init(_ limits: DecodeLimits, drawing: Int? = nil) {
        sleepSeconds = limits.cpuSecondsMax * Self.sleepFactor
        drawingSeconds = drawing
    }
}

/// Watches whether a worker makes progress. The time of a sleeping machine does not count.
struct WorkerWatch {
    private let process: pid_t
    private let allowed: WorkerTime
    private var lastLook: SuspendingClock.Instant
    private var lastProgress: SuspendingClock.Instant
    private var slept = Duration.zero
    /// CPU time that it has used, in seconds.
    private(set) var used = 0.0

    /// Watches `process`, a child that has just begun.
    init(of process: pid_t, _ allowed: WorkerTime) {
        (self.process, self.allowed) = (process, allowed)
        lastLook = .now
        lastProgress = lastLook
    }

    /// Checks the worker; `hasDecoded` if it reported that its picture is decoded.
    ///
    /// - Returns: the time that is up, if any.
    mutating func look(_ hasDecoded: Bool) -> WorkerEnd.Overdue? {
        let now = SuspendingClock.now
        // Once it has ended, its time is unknown.
        guard let seconds = clinux_cpu_seconds(process).nonNegative else { return nil }
        if isRunnable {
            lastProgress = now
        } else {
            // While it waits for its own threads, it does not sleep.
            slept += max(.zero, now - lastLook - .seconds(max(0, seconds - used)))
            if seconds > used { lastProgress = now }
        }
        lastLook = now
        used = max(used, seconds)
        if let limit = allowed.drawingSeconds, !hasDecoded, used > Double(limit) {
            return .drawing(seconds: limit)
        }
        if now - lastProgress >= .seconds(allowed.idleSeconds) {
            return .idle(seconds: allowed.idleSeconds)
        }
        return slept >= .seconds(allowed.sleepSeconds)
            ? .asleep(seconds: allowed.sleepSeconds) : nil
    }

    /// Whether one of its threads runs or waits for a processor.
    private var isRunnable: Bool { clinux_is_runnable(process) != 0 }
}

extension Double {
    fileprivate var nonNegative: Double? { self >= 0 ? self : nil }
}
