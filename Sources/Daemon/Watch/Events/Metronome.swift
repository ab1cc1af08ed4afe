import Dispatch

/// What is done periodically.
enum Beat: Hashable, Sendable {
    /// Polled folders are looked at.
    case poll
    /// Everything is listed again.
    case rescan
    /// The drop folders are compared with what their paths lead to, and faults are retried.
    case rootCheck
}

/// Beats time for the watcher; tests beat by hand.
protocol Metronome: Sendable {
    /// Calls `body` on `queue` every `seconds`, for the first time after `seconds`, until the
    /// returned function is called.
    func start(
        _ beat: Beat, every seconds: Double, on queue: DispatchQueue,
        _ body: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void
}

/// Beats by a clock that changes of the date do not affect.
struct DispatchMetronome: Metronome {
    func start(
        _ beat: Beat, every seconds: Double, on queue: DispatchQueue,
        _ body: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void {
        // Unsafe only to the compiler: a source may be cancelled from any thread.
        nonisolated(unsafe) let timer = DispatchSource.makeTimerSource(queue: queue)
        let leeway = DispatchTimeInterval.milliseconds(Int(seconds * 50))
        timer.schedule(deadline: .now() + seconds, repeating: seconds, leeway: leeway)
        timer.setEventHandler(handler: body)
        timer.activate()
        return { timer.cancel() }
    }
}
