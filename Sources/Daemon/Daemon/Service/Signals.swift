import Dispatch
import Glibc

/// Handles the process's signals: SIGTERM and SIGINT stop it, the second one at once; SIGHUP reloads the configuration.
///
/// SIGIO would kill the process when a held read lease is broken, SIGXFSZ and SIGPIPE when a write exceeds a limit or
/// has no reader; all three are ignored, as the calls themselves report the failure.
final class Signals {
    private let queue = DispatchQueue(label: "stickerd.signals")
    private var sources: [any DispatchSourceSignal] = []

    /// Calls `stop` for each signal that requests a stop, and `reload` for SIGHUP, both on a queue of its own.
    init(stop: @escaping @Sendable () -> Void, reload: @escaping @Sendable () -> Void) {
        for ignored in [SIGIO, SIGXFSZ, SIGPIPE, SIGTERM, SIGINT, SIGHUP] {
            signal(ignored, SIG_IGN)
        }
        for number in [SIGTERM, SIGINT] { handle(number, stop) }
        handle(SIGHUP, reload)
    }

    private func handle(_ number: Int32, _ body: @escaping @Sendable () -> Void) {
        let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
        source.setEventHandler { @Sendable in body() }
        source.resume()
        sources.append(source)
    }
}
