import Dispatch
import Glibc

/// Handles the process's signals: SIGTERM and SIGINT stop it, the second one at once; SIGHUP reloads the configuration.
///
/// SIGIO would kill the process when a held read lease is broken, SIGXFSZ and SIGPIPE when a write exceeds a limit or
/// has no reader; all three are ignored, as the calls themselves report the failure.
final class Signals {
    private var sources: [any DispatchSourceSignal] = []

    /// Calls `stop` on `queue` for each signal that requests a stop, and `reload` for SIGHUP.
    init(
        queue: DispatchQueue, stop: @escaping @Sendable () -> Void,
        reload: @escaping @Sendable () -> Void
    ) {
        for ignored in [SIGIO, SIGXFSZ, SIGPIPE, SIGTERM, SIGINT, SIGHUP] {
            signal(ignored, SIG_IGN)
        }
        handle(SIGTERM, on: queue, stop)
        handle(SIGINT, on: queue, stop)
        handle(SIGHUP, on: queue, reload)
    }

    private func handle(
        _ number: Int32, on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void
    ) {
        let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
        source.setEventHandler { @Sendable in body() }
        source.resume()
        sources.append(source)
    }
}
