import Dispatch
import Glibc
import StickerSystem

/// Handles the process's signals: SIGTERM and SIGINT stop it, the second one at once; SIGHUP reloads the configuration.
///
/// SIGIO would kill the process when a held read lease is broken, SIGXFSZ and SIGPIPE when a write exceeds a limit or
/// has no reader; all three are ignored, as the calls themselves report the failure.
final class Signals {
    private let handlers: [SignalHandler]

    /// Calls `stop` on `queue` for each signal that requests a stop, and `reload` for SIGHUP.
    init(
        queue: DispatchQueue, stop: @escaping @Sendable () -> Void,
        reload: @escaping @Sendable () -> Void
    ) {
        for ignored in [SIGIO, SIGXFSZ, SIGPIPE] { signal(ignored, SIG_IGN) }
        handlers = [
            SignalHandler(SIGTERM, on: queue, stop), SignalHandler(SIGINT, on: queue, stop),
            SignalHandler(SIGHUP, on: queue, reload),
        ]
    }
}
