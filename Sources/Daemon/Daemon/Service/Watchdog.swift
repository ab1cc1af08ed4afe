@preconcurrency import Dispatch
import Logging
import StickerSystem
import StickerValues

/// Notifies the service manager that the daemon is alive, but only while it is.
///
/// Periodically, every owner of a queue must answer on its queue. Once all have answered, the watchdog is fed; a queue
/// that hangs starves it. The duration of jobs is limited elsewhere.
final class Watchdog: Sendable {
    /// Calls back on the queue of its owner.
    typealias Ping = @Sendable (_ answer: @escaping @Sendable () -> Void) -> Void

    private struct State {
        var awaited: Set<String> = []
        var timer: (any DispatchSourceTimer)?
    }

    private let queue = DispatchQueue(label: "stickerd.watchdog")
    private let state: QueueConfined<State>
    private let owners: [String: Ping]
    private let feed: @Sendable () -> Void
    private let logger: Logger

    /// `owners` are the parts that own a queue, by their names in the log; `feed` is called after every round in which
    /// all answered.
    init(owners: [String: Ping], logger: Logger, feed: @escaping @Sendable () -> Void) {
        (self.owners, self.logger, self.feed) = (owners, logger, feed)
        state = QueueConfined(State(), on: queue)
    }

    /// Asks now and then every `interval`.
    func start(every interval: Duration) {
        state.async { [self] state in
            let timer = DispatchSource.makeTimerSource(queue: queue)
            timer.schedule(deadline: .now(), repeating: interval.inMilliseconds / 1000)
            timer.setEventHandler { @Sendable [weak self] in self?.round() }
            timer.resume()
            state.timer = timer
        }
    }

    /// Stops asking.
    func stop() {
        state.perform {
            $0.timer?.cancel()
            $0.timer = nil
        }
    }

    /// Asks once; normally called by the timer.
    func ask() { queue.async { [self] in round() } }

    private func round() {
        state.confined { state in
            guard state.awaited.isEmpty else {
                let silent = state.awaited.sorted().joined(separator: ", ")
                return logger.warning("no answer from \(silent)")
            }
            state.awaited = Set(owners.keys)
            for (owner, ping) in owners { ping { [weak self] in self?.hear(owner) } }
        }
    }

    private func hear(_ owner: String) {
        state.async { [self] state in
            state.awaited.remove(owner)
            if state.awaited.isEmpty { feed() }
        }
    }
}
