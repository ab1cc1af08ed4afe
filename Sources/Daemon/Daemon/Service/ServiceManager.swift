import CSystemd
import Glibc
import StickerValues
import Synchronization

/// Notifies systemd about the life of the daemon; without a service manager, nothing happens.
///
/// The messages are those of sd_notify(3): `READY`, `STATUS`, `RELOADING`, `STOPPING`, `WATCHDOG`.
public final class ServiceManager: Sendable {
    /// How often systemd expects a sign of life; `nil` if it does not.
    let watchdogInterval: Duration?

    private enum Phase { case starting, ready, stopping }

    private let phase = Mutex(Phase.starting)
    private let send: @Sendable (String) -> Void

    /// Creates a service manager that sends every message through `send`.
    init(watchdogInterval: Duration?, send: @escaping @Sendable (String) -> Void) {
        (self.watchdogInterval, self.send) = (watchdogInterval, send)
    }

    /// The service manager that started this process, from the environment (`NOTIFY_SOCKET`, `WATCHDOG_USEC`).
    public convenience init() {
        var microseconds: UInt64 = 0
        let isWatched = sd_watchdog_enabled(0, &microseconds) > 0
        self.init(watchdogInterval: isWatched ? .microseconds(microseconds) : nil) { message in
            // Without a socket it returns 0; a lost message is no reason to stop.
            _ = sd_notify(0, message)
        }
    }

    /// Everything is watched and the start scan is done.
    func ready(status: String) {
        let isFirst = phase.withLock { phase in
            guard phase == .starting else { return false }
            phase = .ready
            return true
        }
        if isFirst { send("READY=1\nSTATUS=\(status)") }
    }

    /// Startup takes longer: systemd waits for another `extra`.
    func stillStarting(extra: Duration) {
        guard phase.withLock({ $0 == .starting }) else { return }
        send("EXTEND_TIMEOUT_USEC=\(Int64(extra.inMilliseconds) * 1000)")
    }

    /// The line in `systemctl status`.
    func status(_ line: String) { send("STATUS=\(line)") }

    /// The configuration is being reloaded; `reloaded` must follow.
    func reloading() {
        guard phase.withLock({ $0 == .ready }) else { return }
        send("RELOADING=1\nMONOTONIC_USEC=\(Self.monotonicMicroseconds())")
    }

    /// The new configuration is in force, or the old one stays.
    func reloaded() {
        guard phase.withLock({ $0 == .ready }) else { return }
        send("READY=1")
    }

    /// The daemon is alive.
    func alive() { send("WATCHDOG=1") }

    /// The daemon is stopping.
    func stopping() {
        phase.withLock { $0 = .stopping }
        send("STOPPING=1\nSTATUS=stopping")
    }

    /// The daemon cannot run; `systemctl status` shows why.
    public func failed(_ why: String) { send("STATUS=\(FileName.escaped(why))") }

    private static func monotonicMicroseconds() -> Int64 {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1000
    }
}
