import Dispatch
import Foundation
public import Logging
public import StickerModel
import StickerPipeline
import StickerStore
import StickerWatch

/// The composition root: builds every part, starts them in order and stops them in order.
///
/// Start: folders, lock, database, recovery, watches, start scan, work. Stop: watching, claiming,
/// drain, flush.
public final class Daemon: Sendable {
    /// What the daemon is for.
    public enum Mode: Sendable {
        /// Watch until a signal comes.
        case watch
        /// Handle everything present, publish, and end.
        case drain
    }

    /// How long running jobs may take after a request to stop.
    private static let stopMax = Duration.seconds(20)

    private let configuration: Configuration
    private let mode: Mode
    private let logger: Logger
    private let lock: StateLock
    private let store: JobStore
    private let housekeeper: Housekeeper
    private let catalog: CatalogPublisher
    private let ending = Ending()
    private let executor: JobExecutor

    /// Checks the folders, takes the lock and opens the database.
    ///
    /// - Throws: an error whose description names the trouble and its remedy in one sentence.
    public init(configuration file: ConfigurationFile, mode: Mode, logger: Logger) throws {
        configuration = file.configuration
        self.mode = mode
        self.logger = logger
        try Folders.check(configuration)
        lock = try StateLock.take(state: configuration.state)
        let objects = try ObjectStore(out: configuration.out)
        store = try JobStore(
            path: "\(configuration.state)/\(JobStore.fileName)",
            policy: StorePolicy(configuration))
        catalog = CatalogPublisher(store: store, out: configuration.out)
        housekeeper = Housekeeper(store: store, objects: objects, out: configuration.out)
        executor = JobExecutor(
            configuration: configuration, store: store, objects: objects, maker: StickerPipeline(),
            patience: mode == .drain ? .drain : ArrivalPatience(configuration.watch))
    }

    /// Runs until a signal, or in drain mode until nothing is left to do.
    ///
    /// - Returns: the exit code: 0 fine, 1 failed, 3 some file present stands refused.
    public func run() throws -> Int32 {
        let signals = Signals(queue: DispatchQueue(label: "stickerd.signals")) { [self] in
            logger.notice("stopping")
            ending.requestStop()
        }
        defer { withExtendedLifetime(signals) {} }
        let reason = try work()
        try store.close()
        return reason
    }

    private func work() throws -> Int32 {
        let publisher = Publisher(catalog: catalog, logger: logger)
        let journal = JobJournal(logger: logger)
        let progress = DrainProgress(ending: ending, isDraining: mode == .drain)
        let pool = WorkerPool(
            width: configuration.workerCount, store: store, logger: logger, execute: executor.run
        ) { turn in
            journal.note(turn)
            publisher.changed(turn.turn.changedCategories)
            progress.note(turn)
        }
        let registrar = Registrar(
            store: store, settle: mode == .drain ? .zero : nil, logger: logger
        ) { report in
            progress.note(report)
            if case .recorded(let categories) = report { publisher.changed(categories) }
            pool.wake()
        }
        let watcher = Watching(configuration, logger, registrar)
        try recover(publisher)
        try watcher.start()
        pool.start()
        let upkeep = Upkeep(
            configuration: configuration, store: store, housekeeper: housekeeper, pool: pool,
            publisher: publisher, ending: mode == .drain ? ending : nil, logger: logger)
        let reason = ending.wait()
        upkeep.stop()
        watcher.stop()
        let isPublished = stop(pool, publisher)
        return try exitCode(reason, isPublished: isPublished)
    }

    /// Sets right what an earlier stop left behind.
    private func recover(_ publisher: Publisher) throws {
        let temporaries = housekeeper.removeTemporaries()
        let recovery = try store.recover()
        _ = try store.refreshEntries()
        logger.notice(
            "started",
            metadata: [
                "drops": "\(configuration.drops.joined(separator: ", "))",
                "out": "\(configuration.out)", "workers": "\(configuration.workerCount)",
                "rescued": "\(recovery.rescued)", "temporaries.removed": "\(temporaries)",
                "waiting": "\(recovery.available + recovery.waiting)",
            ])
        publisher.changed(Set(try catalog.missingOrDirty()))
        try catalog.publishIndex()
    }

    /// Ends the work; whether every manifest shows what the store holds.
    private func stop(_ pool: WorkerPool, _ publisher: Publisher) -> Bool {
        pool.pause()
        let deadline = ContinuousClock.now + Self.stopMax
        if !pool.drain(while: { ContinuousClock.now < deadline && !ending.isUrgent }) {
            logger.warning("some jobs did not end in time; the next start takes them up")
        }
        let isPublished = publisher.flush()
        if !isPublished {
            logger.error("some manifests could not be written; the next start writes them")
        }
        logger.notice("stopped")
        return isPublished
    }

    private func exitCode(_ reason: Ending.Reason, isPublished: Bool) throws -> Int32 {
        switch (mode, reason) {
        case (.watch, _): return 0
        case (.drain, .signal), (.drain, .stuck): return 1
        case (.drain, .drained):
            guard isPublished else { return 1 }
            return try store.status().needAttention > 0 ? 3 : 0
        }
    }
}

extension Configuration {
    /// Lanes of the pool.
    var workerCount: Int {
        workers > 0 ? workers : ProcessInfo.processInfo.activeProcessorCount
    }
}
