import Logging
import StickerConfiguration
import StickerProgram
import StickerSystem
import StickerValues
import StickerWatch
import Synchronization

/// The watcher, which a reload replaces, and the registrar that records its findings.
final class Watching: Sendable {
    private let running = Mutex<(watcher: TreeWatcher, registrar: QueueConfined<Registrar>)?>(nil)
    private let isDraining: Bool
    private let isAvoided: @Sendable (Int64) -> Bool
    private let logger: Logger

    /// `isAvoided` returns whether the bytes of a file with this mark must not be read.
    init(
        isDraining: Bool = false, logger: Logger,
        isAvoided: @escaping @Sendable (Int64) -> Bool = { _ in false }
    ) {
        (self.isDraining, self.isAvoided, self.logger) = (isDraining, isAvoided, logger)
    }

    /// Starts watching as `configuration` says, with a full scan, and reports to `registrar`.
    func start(
        _ configuration: Configuration, recordingInto registrar: QueueConfined<Registrar>
    ) throws {
        var watch = configuration.watch
        // A drain takes every file as it is.
        if isDraining { watch.settleSeconds = 0 }
        let made = TreeWatcher(
            drops: configuration.dropPaths, configuration: watch,
            isAvoided: isAvoided, logger: logger
        ) { [weak self] events in
            guard let watcher = self?.watcher else { return }
            let isRecorded = registrar.perform { $0.record(events, by: watcher) }
            if !isRecorded { watcher.repeatScan() }
        }
        running.withLock { $0 = (made, registrar) }
        try made.start()
    }

    /// Applies a newer configuration; if that fails, continues as before.
    func restart(_ newer: Configuration, before: Configuration) throws {
        guard let registrar = running.withLock({ $0?.registrar }) else { return }
        stop()
        do {
            try start(newer, recordingInto: registrar)
        } catch {
            logger.error(
                "the new watch settings do not work, keeping the old ones",
                metadata: [LogKey.error: "\(error)"])
            try start(before, recordingInto: registrar)
        }
    }

    /// Stops watching; nothing is recorded afterwards.
    func stop() { watcher?.stop() }

    /// The watcher's figures.
    var status: WatchStatus { watcher?.status ?? WatchStatus() }

    /// Looks at one path now.
    @Sendable func look(at key: SourceKey) -> Look { watcher?.look(at: key) ?? .unknown }

    /// Looks again at drops whose path leads to another folder: an operator may have decided.
    func reconsider() {
        guard let (watcher, registrar) = running.withLock({ $0 }) else { return }
        watcher.ping {
            // If the database cannot be read now, the next change asks again.
            let isNew = try? registrar.perform { try $0.reconsider() }
            if isNew == true { watcher.repeatScan() }
        }
    }

    /// Calls back on the watcher's queue.
    func ping(_ answer: @escaping @Sendable () -> Void) {
        if let watcher { watcher.ping(answer) } else { answer() }
    }

    private var watcher: TreeWatcher? { running.withLock { $0?.watcher } }
}
