@preconcurrency import Dispatch
import Logging
import StickerModel

/// Notifies the service manager that the daemon is alive, but only while it is.
///
/// Periodically, every owner of a queue must answer on its queue. Once all have answered, the watchdog is fed; a queue
/// that hangs starves it. The duration of jobs is limited elsewhere.
final class Watchdog: Sendable {
    /// A part that owns a queue.
    struct Owner: Sendable {
        /// The name in the log.
        var name: String
        /// Calls back on the owner's queue.
        var ping: @Sendable (_ answer: @escaping @Sendable () -> Void) -> Void
    }

    private struct State {
        var awaited: Set<String> = []
        var timer: (any DispatchSourceTimer)?
    }

    private let queue = DispatchQueue(label: "stickerd.watchdog")
    private let state: QueueConfined<State>
    private let owners: [Owner]
    private let feed: @Sendable () -> Void
    private let logger: Logger

    /// `feed` is called after every round in which all `owners` answered.
    init(owners: [Owner], logger: Logger, feed: @escaping @Sendable () -> Void) {
        self.owners = owners
        self.logger = logger
        self.feed = feed
        state = QueueConfined(State(), on: queue)
    }

    /// Asks now and then every `interval`.
    func start(every interval: Duration) {
        queue.async { [self] in
            let timer = DispatchSource.makeTimerSource(queue: queue)
            timer.schedule(deadline: .now(), repeating: interval.inMilliseconds / 1000)
            timer.setEventHandler { @Sendable [weak self] in self?.round() }
            timer.resume()
            state.confined { $0.timer = timer }
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
            state.awaited = Set(owners.map(\.name))
            for owner in owners {
                owner.ping { [weak self] in self?.hear(owner.name) }
            }
        }
    }

    private func hear(_ owner: String) {
        queue.async { [self] in
            state.confined { state in
                state.awaited.remove(owner)
                if state.awaited.isEmpty { feed() }
            }
        }
    }
}
