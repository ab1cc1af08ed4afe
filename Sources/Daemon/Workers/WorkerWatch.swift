import CLinux
import Glibc
import StickerValues

/// The time limits of a worker. The kernel enforces CPU time, see `WorkerAllowance`; the clock counts only for a worker
/// that does almost nothing.
struct WorkerTime: Hashable {
    /// A worker that uses no CPU time for this long, and does not wait for any, hangs.
    static let idleSecondsMax = 10
    /// By the clock, a picture may take this many times its CPU time: the machine may be that busy.
    static let clockFactor = 10
    /// CPU time for the first attempt to draw an SVG. The slowest icons of Breeze take 0.2 s, measured in 2026.
    static let drawingSeconds = 3

    var idleSeconds = idleSecondsMax
    var clockSeconds: Int
    /// CPU time until the picture is decoded; `nil` for the whole time that the limits allow.
    var drawingSeconds: Int?

    /// The time of a worker under `limits`.
    init(_ limits: DecodeLimits, drawing: Int? = nil) {
        clockSeconds = limits.cpuSecondsMax * Self.clockFactor
        drawingSeconds = drawing
    }
}

/// Watches whether a worker makes progress. The time of a sleeping machine does not count.
struct WorkerWatch {
    private let process: pid_t
    private let allowed: WorkerTime
    private let start: SuspendingClock.Instant
    private var lastProgress: SuspendingClock.Instant
    /// CPU time that it has used, in seconds.
    private(set) var used = 0.0

    /// Watches `process`, a child that has just begun.
    init(of process: pid_t, _ allowed: WorkerTime) {
        (self.process, self.allowed) = (process, allowed)
        start = .now
        lastProgress = start
    }

    /// Checks the worker; `hasDecoded` if it reported that its picture is decoded.
    ///
    /// - Returns: the time that is up, if any.
    mutating func look(_ hasDecoded: Bool) -> WorkerEnd.Overdue? {
        let now = SuspendingClock.now
        // Once it has ended, its time is unknown.
        guard let seconds = clinux_cpu_seconds(process).nonNegative else { return nil }
        if seconds > used || isRunnable { lastProgress = now }
        used = max(used, seconds)
        if let limit = allowed.drawingSeconds, !hasDecoded, used > Double(limit) {
            return .drawing(seconds: limit)
        }
        if now - lastProgress >= .seconds(allowed.idleSeconds) {
            return .idle(seconds: allowed.idleSeconds)
        }
        return now - start >= .seconds(allowed.clockSeconds)
            ? .clock(seconds: allowed.clockSeconds) : nil
    }

    /// Whether it only waits for a processor: the letter after the name in `/proc/PID/stat`, see proc(5).
    private var isRunnable: Bool { clinux_process_state(process) == CChar(UInt8(ascii: "R")) }
}

extension Double {
    fileprivate var nonNegative: Double? { self >= 0 ? self : nil }
}
