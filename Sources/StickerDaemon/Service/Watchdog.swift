@preconcurrency import Dispatch
import Logging
import StickerModel

/// Tells the service manager that the daemon is alive, only while it is.
///
/// Now and then every owner of a queue is asked, on its queue, how old the work is that it has in
/// hand. Once all have answered, and none of the work is too old, the watchdog is fed. A queue that
/// hangs or a job that never ends starves it.
final class Watchdog: Sendable {
    /// Somebody who owns a queue.
    struct Owner: Sendable {
        /// For the log.
        var name: String
        /// Calls back on the owner's queue with the age of its oldest work, `nil` where there is none.
        var ping: @Sendable (_ answer: @escaping @Sendable (_ oldest: Duration?) -> Void) -> Void
    }

    private struct State {
        var awaited: Set<String> = []
        var isWorkFine = true
        var timer: (any DispatchSourceTimer)?
    }

    private let queue = DispatchQueue(label: "stickerd.watchdog")
    private let state: QueueConfined<State>
    private let owners: [Owner]
    private let workMax: Duration
    private let feed: @Sendable () -> Void
    private let logger: Logger

    /// `feed` is called after every round in which all `owners` answered and no work was older than
    /// `workMax`.
    init(
        owners: [Owner], workMax: Duration, logger: Logger, feed: @escaping @Sendable () -> Void
    ) {
        self.owners = owners
        self.workMax = workMax
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

    /// Asks no more.
    func stop() {
        state.perform {
            $0.timer?.cancel()
            $0.timer = nil
        }
    }

    /// Asks once; the timer does it.
    func ask() { queue.async { [self] in round() } }

    private func round() {
        state.confined { state in
            guard state.awaited.isEmpty else {
                let silent = state.awaited.sorted().joined(separator: ", ")
                return logger.warning("no answer from \(silent)")
            }
            state.isWorkFine = true
            state.awaited = Set(owners.map(\.name))
            for owner in owners {
                owner.ping { [weak self] oldest in self?.hear(owner.name, oldest) }
            }
        }
    }

    private func hear(_ owner: String, _ oldest: Duration?) {
        queue.async { [self] in
            state.confined { state in
                state.awaited.remove(owner)
                if let oldest, oldest > workMax {
                    state.isWorkFine = false
                    logger.warning(
                        "a job takes longer than it may",
                        metadata: [LogKey.seconds: "\(Int(oldest.inMilliseconds / 1000))"])
                }
                if state.awaited.isEmpty && state.isWorkFine { feed() }
            }
        }
    }
}
