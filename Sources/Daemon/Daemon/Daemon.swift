import Dispatch
import Glibc
public import Logging
public import StickerConfiguration
public import StickerProgram
import StickerSmart
import StickerStore
import StickerSystem
import StickerValues
import StickerWorkers

/// The daemon: takes possession of its folders, starts its parts in order and stops them in order.
///
/// Start: folders, lock, database, recovery, watches, start scan, work. Stop: watching, claiming, drain, flush.
/// `Parts` builds and connects the parts.
public final class Daemon: Sendable {
    let file: ConfigurationFile
    let isDraining: Bool
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
    /// `isOfUploads` makes the stickers uploaded by users, instead of those from the drop folders. `isDraining` handles
    /// everything present, publishes, and ends. `isUnsandboxedAllowed` has the same effect as `worker.unsandboxed`.
    ///
    /// - Throws: `ConfigurationError` for an unusable profile, otherwise an error whose description
    ///   states the trouble and its remedy in one sentence.
    public init(
        configuration file: ConfigurationFile, isOfUploads: Bool = false, isDraining: Bool,
        isUnsandboxedAllowed: Bool = false, service: ServiceManager = ServiceManager(),
        terminal: Terminal? = nil, logger: Logger
    ) throws {
        let file = try file.readingFiles().ofLibrary(isOfUploads: isOfUploads)
        (self.file, self.isDraining, self.service) = (file, isDraining, service)
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
        if let upgrade = store.upgrade { logger.note(upgrade) }
        catalog = CatalogPublisher(catalog: store.catalog, objects: objects)
        crashFile = CrashFile(state: configuration.state)
        maker = WorkerMaking(program: try WorkerProgram.find(), forks: true) { [settings] in
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
        stopIfDamaged()
        let missingLayers = try maker.check()
        let languages = try checkConfiguration()
        try noteMissingFormats()
        let parts = Parts(self)
        let reporter = parts.listeners.reporter
        reporter.set(missingLayers: missingLayers)
        reporter.set(unknownLanguages: languages)
        let signals = handleSignals(parts.reloader)
        defer { withExtendedLifetime(signals) {} }

        try parts.startup.run()
        try parts.reloader.record(file)
        try parts.watching.start(file.configuration, recordingInto: parts.registrar)
        parts.pool.start()
        parts.upkeep.start()
        reporter.start { parts.watching.status }
        // Four times as often as the service manager requires.
        if let limit = service.watchdogInterval { parts.watchdog.start(every: limit / 4) }

        return try parts.shutdown.run(ending.wait())
    }

    private func stopIfDamaged() {
        store.onDamage { [ending, logger] error in
            guard ending.decide(.damaged) else { return }
            logger.error(
                "the database cannot be used any more, stopping",
                metadata: [LogKey.detail: "\(error)"])
        }
    }

    /// Logs settings that are not used as written.
    ///
    /// - Returns: the unknown languages, one line each.
    private func checkConfiguration() throws -> [String] {
        try file.configuration.checkSmartButLanguages()
        let remarks = try maker.check(filesOf: file.configuration)
        for warning in file.warnings + remarks { logger.note(warning) }
        let languages = file.configuration.unknownLanguages.map(\.description)
        for language in languages {
            logger.warning(
                "unknown language, its smart stickers are in English",
                metadata: [LogKey.detail: "\(language)"])
        }
        return languages
    }

    /// Logs the formats whose programs are not installed; their pictures are refused by name.
    private func noteMissingFormats() throws {
        let missing = WorkerProgram.missingFormats(beside: try WorkerProgram.find())
        guard !missing.isEmpty else { return }
        logger.warning(
            "pictures of some formats are refused, because worker programs are missing",
            metadata: ["formats": "\(missing.map(\.name).joined(separator: ", "))"])
    }

    private func handleSignals(_ reloader: Reloader) -> Signals {
        Signals(
            queue: DispatchQueue(label: "stickerd.signals"),
            stop: { [self] in
                logger.notice("stopping")
                service.stopping()
                ending.requestStop()
            }, reload: reloader.reload)
    }
}

extension Logger {
    /// Logs that the database of an earlier release was copied and migrated.
    fileprivate func note(_ upgrade: Upgrade) {
        let record = upgrade.earlier.record
        info(
            "the database was copied before its tables were changed",
            metadata: [
                "from": "\(record.from)", "to": "\(record.to)", "copy": "\(upgrade.earlier.path)",
                "seconds": "\(upgrade.duration.components.seconds)",
                "kept.until": "\(record.keptUntil.asDate)",
            ])
    }
}

extension ConfigurationFile {
    /// The configuration for uploads or for drops, after checking that uploads are kept apart from the public stickers.
    func ofLibrary(isOfUploads: Bool) throws(ConfigurationError) -> ConfigurationFile {
        try configuration.checkPersonal(RealFolder.areNested)
        return isOfUploads ? try ofUploads() : self
    }
}
