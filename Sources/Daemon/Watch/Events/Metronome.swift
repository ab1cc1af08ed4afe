import Dispatch

/// Periodic work.
enum Beat: Hashable, Sendable {
    /// Polled folders are read.
    case poll
    /// Everything is listed again.
    case rescan
    /// The drop folders are compared with the folders at their paths, and failures are retried.
    case rootCheck
}

/// A periodic timer for the watcher; tests trigger it by hand.
protocol Metronome: Sendable {
    /// Calls `body` on `queue` every `seconds`, for the first time after `seconds`, until the
    /// returned function is called.
    func start(
        _ beat: Beat, every seconds: Double, on queue: DispatchQueue,
        _ body: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void
}

/// Uses a clock that is unaffected by changes of the date.
struct DispatchMetronome: Metronome {
    func start(
        _ beat: Beat, every seconds: Double, on queue: DispatchQueue,
        _ body: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void {
        // Unsafe only for the compiler: a source may be cancelled from any thread.
        nonisolated(unsafe) let timer = DispatchSource.makeTimerSource(queue: queue)
        let leeway = DispatchTimeInterval.milliseconds(Int(seconds * 50))
        timer.schedule(deadline: .now() + seconds, repeating: seconds, leeway: leeway)
        timer.setEventHandler(handler: body)
        timer.activate()
        return { timer.cancel() }
    }
}
