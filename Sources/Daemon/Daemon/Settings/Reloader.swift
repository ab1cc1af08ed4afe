import Dispatch
import Logging
import StickerLogs
import StickerModel
import StickerStore
import Synchronization

/// Applies a newer configuration while the daemon runs: all of it, or nothing if it has a fault.
final class Reloader: Sendable {
    private let queue = DispatchQueue(label: "stickerd.reload")
    private let load: @Sendable () throws -> ConfigurationFile
    private let settings: Settings
    /// The configuration that every part has applied; older than `settings` if that failed halfway.
    private let applied: Mutex<Configuration>
    private let store: LibraryStore
    private let service: ServiceManager
    private let logger: Logger
    private let apply: @Sendable (_ newer: Configuration, _ before: Configuration) throws -> Void

    /// `load` reads the file again; `apply` passes changes on to the parts, once `settings` has them.
    init(
        settings: Settings, store: LibraryStore, service: ServiceManager, logger: Logger,
        load: @escaping @Sendable () throws -> ConfigurationFile,
        apply: @escaping @Sendable (_ newer: Configuration, _ before: Configuration) throws -> Void
    ) {
        self.settings = settings
        applied = Mutex(settings.current)
        self.store = store
        self.service = service
        self.logger = logger
        self.load = load
        self.apply = apply
    }

    /// Reloads the configuration, on a separate queue.
    func reload() {
        queue.async { [self] in
            service.reloading()
            defer { service.reloaded() }
            do {
                try take(try load())
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

    private func take(_ file: ConfigurationFile) throws {
        let before = applied.withLock { $0 }
        let changes = before.changes(to: file.configuration)
        for change in changes { tell(change) }
        for warning in file.warnings { logger.note(warning) }
        settings.replace(with: file.configuration)
        try apply(settings.current, before)
        applied.withLock { $0 = settings.current }
        var inForce = file
        inForce.configuration = settings.current
        try record(inForce)
        let changed = changes.count.counted("setting", "settings")
        logger.notice("configuration reloaded, \(changed) changed")
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
