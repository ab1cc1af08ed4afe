import Glibc
public import Logging
public import StickerLogs
public import StickerModel
import StickerSmart
import StickerStore
import StickerSystem
import StickerWorkers

/// The composition root: builds every part, starts them in order and stops them in order.
///
/// Start: folders, lock, database, recovery, watches, start scan, work. Stop: watching, claiming, drain,
/// flush.
public final class Daemon: Sendable {
    /// How the daemon runs.
    public enum Mode: Sendable {
        /// Watch until a signal arrives.
        case watch
        /// Handle everything present, publish, and end.
        case drain
    }

    /// Which stickers the daemon makes.
    public enum Library: Sendable {
        /// Those from the drop folders.
        case drops
        /// Those uploaded by users.
        case uploads
    }

    let file: ConfigurationFile
    let mode: Mode
    let service: ServiceManager
    let terminal: Terminal?
    let logger: Logger
    let settings: Settings
    let lock: StateLock
    let store: LibraryStore
    let objects: ObjectStore
    let housekeeper: Housekeeper
    let catalog: CatalogPublisher
    let maker: WorkerMaking
    let crashFile: CrashFile
    let ending = Ending()

    /// Checks the folders, takes the lock, opens the database and finds the worker.
    ///
    /// `isUnsandboxedAllowed` has the same effect as setting `worker.unsandboxed`.
    ///
    /// - Throws: `ConfigurationError` for an unusable profile, otherwise an error whose description
    ///   states the trouble and its remedy in one sentence.
    public init(
        configuration file: ConfigurationFile, library: Library = .drops, mode: Mode,
        isUnsandboxedAllowed: Bool = false, service: ServiceManager = ServiceManager(),
        terminal: Terminal? = nil, logger: Logger
    ) throws {
        let file = try file.readingFiles().of(library)
        (self.file, self.mode, self.service) = (file, mode, service)
        (self.terminal, self.logger) = (terminal, logger)
        let configuration = file.configuration
        settings = Settings(configuration)
        Memory.prepare()
        try Folders.check(
            configuration, isPrivate: file.isOfUploads,
            hasPublished: LibraryStore.hasPublished(state: configuration.state))
        lock = try StateLock.take(state: configuration.state)
        objects = try ObjectStore(out: configuration.out)
        store = try LibraryStore(
            path: "\(configuration.state)/\(LibraryStore.fileName)",
            policy: StorePolicy(configuration, believesDeletions: file.isOfUploads),
            adopting: try EarlierRecipes(configuration))
        if let upgrade = store.upgrade { Self.tell(upgrade, logger) }
        catalog = CatalogPublisher(catalog: store.catalog, objects: objects)
        crashFile = CrashFile(state: configuration.state)
        maker = WorkerMaking(program: try WorkerProgram.find()) { [settings] in
            var worker = settings.current.worker
            worker.unsandboxed = worker.unsandboxed || isUnsandboxedAllowed
            return worker
        }
        housekeeper = Housekeeper(catalog: store.catalog, objects: objects, out: configuration.out)
    }

    /// Runs until a signal, or in drain mode until nothing is left to do.
    ///
    /// - Returns: the exit code: 0 for success, 1 for failure, 3 if a present file is still refused, jobs are left
    ///   waiting or a drop folder is missing.
    public func run() throws -> Int32 {
        let (code, isCutOff) = try work()
        // A decoder cannot be interrupted; exit(3) would free memory that it is still using.
        if isCutOff { _exit(code) }
        try store.close()
        return code
    }

    private func work() throws -> (code: Int32, isCutOff: Bool) {
        store.onDamage { [ending, logger] error in
            guard ending.decide(.damaged) else { return }
            logger.error(
                "the database cannot be used any more, stopping",
                metadata: [LogKey.detail: "\(error)"])
        }
        let missingLayers = try maker.check()
        try file.configuration.checkSmartButLanguages()
        let remarks = try maker.check(filesOf: file.configuration)
        for warning in file.warnings + remarks { logger.note(warning) }
        let languages = file.configuration.unknownLanguages.map(\.description)
        for language in languages {
            logger.warning(
                "unknown language, its smart stickers are in English",
                metadata: [LogKey.detail: "\(language)"])
        }
        try noteMissingFormats()
        let parts = Parts(self)
        parts.reporter.set(missingLayers: missingLayers)
        parts.reporter.set(unknownLanguages: languages)
        let pool = makePool(parts)
        let registrar = makeRegistrar(parts, pool)
        let reloader = makeReloader(parts, pool)
        let signals = makeSignals(reloader)
        defer { withExtendedLifetime(signals) {} }

        try recover(parts)
        try reloader.record(file)
        try parts.watching.start(file.configuration, recordingInto: registrar)
        pool.start()
        let upkeep = makeUpkeep(parts, pool)
        parts.reporter.start { parts.watching.status }
        let watchdog = makeWatchdog(parts, pool, upkeep)

        let reason = ending.wait()
        watchdog.stop()
        parts.reporter.stop()
        upkeep.stop()
        parts.watching.stop()
        let hasSeenAll = parts.watching.hasSeenAll
        let isDrained = if case .drained = reason { true } else { false }
        if isDrained, hasSeenAll { try upkeep.expireAll() }
        let (isPublished, isCutOff) = stop(pool, parts, isDrained: isDrained)
        if isDrained { try upkeep.tellUsers() }
        if isDrained, hasSeenAll, !isCutOff { examineAll(upkeep) }
        return (try exitCode(reason, isComplete: hasSeenAll && isPublished), isCutOff)
    }
}

extension ConfigurationFile {
    /// The configuration of a library, after checking that uploads are kept apart from the public stickers.
    ///
    /// - Throws: `ConfigurationError`.
    func of(_ library: Daemon.Library) throws(ConfigurationError) -> ConfigurationFile {
        try configuration.checkPersonal(RealFolder.areNested)
        return library == .uploads ? try ofUploads() : self
    }
}
