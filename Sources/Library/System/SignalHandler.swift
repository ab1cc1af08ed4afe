public import Dispatch
import Glibc

/// Calls a function at each signal of one kind, which has no other effect.
public final class SignalHandler {
    private let source: any DispatchSourceSignal

    /// Begins.
    ///
    /// - Parameters:
    ///   - number: such as `SIGHUP`.
    ///   - queue: the queue of the calls.
    ///   - body: called once for signals that come at the same time.
    public init(
        _ number: Int32, on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void
    ) {
        signal(number, SIG_IGN)
        source = DispatchSource.makeSignalSource(signal: number, queue: queue)
        source.setEventHandler { @Sendable in body() }
        source.resume()
    }

    deinit { source.cancel() }
}
