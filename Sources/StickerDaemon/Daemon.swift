import Dispatch
import FoundationEssentials
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

    let configuration: Configuration
    let mode: Mode
    let service: ServiceManager
    let terminal: Terminal?
    let logger: Logger
    let lock: StateLock
    let store: JobStore
    let housekeeper: Housekeeper
    let catalog: CatalogPublisher
    let ending = Ending()
    let executor: JobExecutor

    /// Checks the folders, takes the lock and opens the database.
    ///
    /// - Throws: an error whose description names the trouble and its remedy in one sentence.
    public init(
        configuration file: ConfigurationFile, mode: Mode,
        service: ServiceManager = ServiceManager(), terminal: Terminal? = nil, logger: Logger
    ) throws {
        configuration = file.configuration
        self.mode = mode
        Memory.prepare()
        self.service = service
        self.terminal = terminal
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
            service.stopping()
            ending.requestStop()
        }
        defer { withExtendedLifetime(signals) {} }
        let code = try work()
        try store.close()
        return code
    }

    private func work() throws -> Int32 {
        let publisher = Publisher(catalog: catalog, logger: logger)
        let journal = JobJournal(logger: logger)
        let progress = DrainProgress(ending: ending, isDraining: mode == .drain)
        let reporter = Reporter(
            store: store, service: service, drops: configuration.drops.count,
            terminal: mode == .drain ? terminal : nil, logger: logger)
        let pool = WorkerPool(
            width: configuration.workerCount, store: store, logger: logger, execute: executor.run
        ) { turn in
            journal.note(turn)
            publisher.changed(turn.turn.changedCategories)
            progress.note(turn)
            reporter.note(turn)
        }
        let registrar = Registrar(
            store: store, settle: mode == .drain ? .drain : SettleTime(configuration.watch),
            logger: logger
        ) { [service] report in
            progress.note(report)
            switch report {
            case .recorded(let categories):
                publisher.changed(categories)
                service.stillStarting(extra: .seconds(90))
            case .startScanFinished:
                reporter.startScanFinished()
            }
            pool.wake()
        }
        let watching = Watching(configuration, logger, registrar)
        try recover(publisher)
        try watching.start()
        pool.start()
        let upkeep = Upkeep(
            configuration: configuration, store: store, housekeeper: housekeeper, pool: pool,
            publisher: publisher, reporter: reporter, progress: progress,
            ending: mode == .drain ? ending : nil, logger: logger)
        reporter.start { watching.status }
        let watchdog = Watchdog(
            pool: pool, publisher: publisher, upkeep: upkeep, reporter: reporter,
            watching: watching, service: service, logger: logger)
        let reason = ending.wait()
        watchdog.stop()
        reporter.stop()
        upkeep.stop()
        watching.stop()
        let hasSeenAll = !watching.status.isBlind
        if case .drained = reason, hasSeenAll { try upkeep.expireAll() }
        let isPublished = stop(pool, publisher)
        return try exitCode(reason, isComplete: hasSeenAll && isPublished)
    }
}
