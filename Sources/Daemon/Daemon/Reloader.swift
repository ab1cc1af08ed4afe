import FoundationEssentials
import Logging
import StickerConfiguration
import StickerProgram
import StickerSmart
import StickerStore
import StickerSystem
import StickerValues
import StickerWorkers

/// Applies a newer configuration while the daemon runs: all of it, or nothing if it has a fault.
struct Reloader: Sendable {
    let daemon: Daemon
    let listeners: Listeners
    let watching: Watching
    let pool: WorkerPool
    /// The configuration that every part has applied, unless it is that of the start; older than `settings` if that
    /// failed halfway.
    private let applied = QueueConfined<Configuration?>(nil, label: "stickerd.reload")

    private var settings: Settings { daemon.settings }
    private var store: LibraryStore { daemon.store }
    private var logger: Logger { daemon.logger }

    /// Reloads the configuration, on a separate queue.
    func reload() {
        applied.async { applied in
            daemon.service.reloading()
            defer { daemon.service.reloaded() }
            do {
                try take(try load(), &applied)
            } catch let error as ConfigurationError {
                refuse(error)
            } catch {
                logger.error(
                    "the configuration could not be applied completely; reload again",
                    metadata: [LogKey.error: "\(error)"])
            }
        }
    }

    /// Records the settings in force at the start, for tools.
    func record(_ file: ConfigurationFile) throws {
        try store.operations.setConfigurationRecord(
            ConfigurationRecord(
                path: file.path, loadedAt: store.now, settings: file.configuration.settings))
    }

    private func load() throws -> ConfigurationFile {
        var newer = try ConfigurationFile.load(
            flag: daemon.file.path, environment: ProcessInfo.processInfo.environment,
            workingFolder: FileManager.default.currentDirectoryPath
        ).readingFiles().ofLibrary(isOfUploads: daemon.file.isOfUploads)
        try newer.configuration.checkSmart()
        do {
            newer.warnings += try daemon.maker.check(filesOf: newer.configuration)
        } catch let error as WorkerUnavailable {
            // Nothing is in force yet, so nothing has to be restored.
            let message = "its files cannot be tested: \(error)"
            throw ConfigurationError(faults: [JSONFault(path: "", message: message)])
        }
        return newer
    }

    private func take(_ newer: ConfigurationFile, _ applied: inout Configuration?) throws {
        let before = applied ?? daemon.file.configuration
        let changes = before.changes(to: newer.configuration)
        for change in changes { tell(change) }
        for warning in newer.warnings { logger.note(warning) }
        settings.replace(with: newer.configuration)
        var inForce = newer
        inForce.configuration = settings.current
        try apply(inForce.configuration, before)
        applied = inForce.configuration
        try record(inForce)
        let changed = changes.count.counted("setting", "settings")
        logger.notice("configuration reloaded, \(changed) changed")
    }

    /// Passes changes on to the parts, once `settings` has them.
    private func apply(_ newer: Configuration, _ before: Configuration) throws {
        // A configuration with an unknown language is not reloaded.
        listeners.reporter.set(unknownLanguages: [])
        store.policy = StorePolicy(newer, believesDeletions: daemon.file.isOfUploads)
        _ = try store.catalog.moveToDefaultCategory()
        try store.catalog.refreshEntries()
        pool.setWidth(newer.workerCount)
        if newer.watch != before.watch { try watching.restart(newer, before: before) }
        try store.retryRefused(whereChanged: newer, from: before)
        pool.wake()
        listeners.redo.demand()
        listeners.packs.steered()
        try listeners.repair.mendLists()
    }

    private func tell(_ change: SettingChange) {
        let metadata: Logger.Metadata = [
            "key": "\(change.key)", "old": "\(change.old)", "new": "\(change.new)",
        ]
        if change.needsRestart {
            logger.warning("setting changed, it needs a restart", metadata: metadata)
        } else {
            logger.notice("setting changed", metadata: metadata)
        }
    }

    /// Reports the faults; the settings in force stay.
    private func refuse(_ error: ConfigurationError) {
        for fault in error.faults {
            logger.error(
                "faulty configuration, the old one stays",
                metadata: [LogKey.detail: "\(fault)"])
        }
        do {
            guard var record = try store.operations.configurationRecord() else { return }
            record.faults = error.faults.map(\.description)
            try store.operations.setConfigurationRecord(record)
        } catch {
            logger.warning(
                "the faults cannot be recorded", metadata: [LogKey.error: "\(error)"])
        }
    }
}

extension Logger {
    /// Logs that a value of the configuration is not used as written.
    func note(_ warning: JSONFault) {
        self.warning(
            "a setting is not used as written", metadata: [LogKey.detail: "\(warning)"])
    }
}
