import Logging
import StickerModel
import StickerWatch
import Synchronization

/// The watcher and the registrar, each of which needs the other.
final class Watching: Sendable {
    private let watcher: Mutex<TreeWatcher?>

    init(_ configuration: Configuration, _ logger: Logger, _ registrar: Registrar) {
        watcher = Mutex(nil)
        let made = TreeWatcher(
            drops: configuration.drops, configuration: configuration.watch, logger: logger
        ) { [weak self] events in
            guard let watcher = self?.current else { return }
            let isRecorded = registrar.record(events, by: watcher)
            if !isRecorded { watcher.repeatScan() }
        }
        watcher.withLock { $0 = made }
    }

    func start() throws { try current?.start() }

    /// Ends the watch; nothing is recorded afterwards.
    func stop() { current?.stop() }

    /// The watcher's figures.
    var status: WatchStatus { current?.status ?? WatchStatus() }

    /// Calls back on the watcher's queue.
    func ping(_ answer: @escaping @Sendable () -> Void) { current?.ping(answer) }

    private var current: TreeWatcher? { watcher.withLock { $0 } }
}
