import Logging
import StickerLogs
import StickerModel
import StickerWatch
import Synchronization

/// The watcher, and the registrar that records its findings.
final class Watching: Sendable {
    private let watcher = Mutex<TreeWatcher?>(nil)
    private let registrar = Mutex<Registrar?>(nil)
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
    func start(_ configuration: Configuration, recordingInto registrar: Registrar) throws {
        self.registrar.withLock { $0 = registrar }
        try start(configuration)
    }

    private func start(_ configuration: Configuration) throws {
        var watch = configuration.watch
        // A drain takes every file as it is.
        if isDraining { watch.settleSeconds = 0 }
        let made = TreeWatcher(
            drops: configuration.dropPaths, configuration: watch,
            isAvoided: isAvoided, logger: logger
        ) { [weak self] events in
            guard let watcher = self?.current, let registrar = self?.registrar.withLock({ $0 })
            else { return }
            let isRecorded = registrar.record(events, by: watcher)
            if !isRecorded { watcher.repeatScan() }
        }
        watcher.withLock { $0 = made }
        try made.start()
    }

    /// Applies a newer configuration; if that fails, continues as before.
    func restart(_ newer: Configuration, before: Configuration) throws {
        stop()
        do {
            try start(newer)
        } catch {
            logger.error(
                "the new watch settings do not work, keeping the old ones",
                metadata: [LogKey.error: "\(error)"])
            try start(before)
        }
    }

    /// Stops watching; nothing is recorded afterwards.
    func stop() { current?.stop() }

    /// The watcher's figures.
    var status: WatchStatus { current?.status ?? WatchStatus() }

    /// Whether every folder could be read.
    var hasSeenAll: Bool { !status.isBlind }

    /// Looks at one path now.
    @Sendable func look(at key: SourceKey) -> Look { current?.look(at: key) ?? .unknown }

    /// Looks again at drops whose path leads to another folder: an operator may have decided.
    func reconsider() {
        guard let watcher = current, let registrar = registrar.withLock({ $0 }) else { return }
        watcher.ping {
            // If the database cannot be read now, the next change asks again.
            let isNew = try? registrar.reconsider()
            if isNew == true { watcher.repeatScan() }
        }
    }

    /// Calls back on the watcher's queue.
    func ping(_ answer: @escaping @Sendable () -> Void) {
        if let current { current.ping(answer) } else { answer() }
    }

    private var current: TreeWatcher? { watcher.withLock { $0 } }
}
