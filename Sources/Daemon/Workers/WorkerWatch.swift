import CLinux
import Glibc
import StickerModel

/// How long a worker may take. CPU time counts, which the kernel ends as `WorkerAllowance` says; the clock counts
/// only for a worker that does nothing, or next to nothing.
struct WorkerTime: Hashable {
    /// A worker that uses no CPU time for so long, and does not wait for any, hangs.
    static let idleSecondsMax = 10
    /// By the clock, a picture may take this many times its CPU time: so busy may a machine be.
    static let clockFactor = 10
    /// CPU time for the first attempt to draw an SVG. The dearest icons of Breeze take 0.2 s, measured in 2026.
    static let drawingSeconds = 3

    var idleSeconds = idleSecondsMax
    var clockSeconds: Int
    /// CPU time until the picture is decoded; `nil` for what the limits allow.
    var drawingSeconds: Int?

    /// The time of a worker under `limits`.
    init(_ limits: DecodeLimits, drawing: Int? = nil) {
        clockSeconds = limits.cpuSecondsMax * Self.clockFactor
        drawingSeconds = drawing
    }
}

/// Watches whether a worker gets anywhere. A machine that sleeps takes none of its time.
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

    /// Looks at the worker; `hasDecoded` if it says that its picture is decoded.
    ///
    /// - Returns: which of its times is up, if one is.
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

    /// Whether it waits for a processor and nothing else: the letter behind the name in `/proc/PID/stat`, see proc(5).
    private var isRunnable: Bool { clinux_process_state(process) == CChar(UInt8(ascii: "R")) }
}

extension Double {
    fileprivate var nonNegative: Double? { self >= 0 ? self : nil }
}
