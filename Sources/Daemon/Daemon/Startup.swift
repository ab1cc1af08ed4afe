import Logging
import StickerConfiguration
import StickerProgram
import StickerStore
import StickerValues

/// Repairs the leftovers of an earlier stop, before the work begins.
struct Startup: Sendable {
    let daemon: Daemon
    let repair: Repair
    let redo: Redo

    private var file: ConfigurationFile { daemon.file }
    private var store: LibraryStore { daemon.store }
    private var logger: Logger { daemon.logger }
    private var journal: JobJournal { JobJournal(logger: logger) }

    func run() throws {
        let configuration = file.configuration
        // Jobs of a drop wait until it is known which folder is in its place.
        for drop in configuration.dropPaths { store.sources.hold(drop: drop, isAbsent: true) }
        let temporaries = daemon.housekeeper.removeTemporaries()
        let crash = daemon.crashFile.crash()
        try crash.map { try store.queue.note($0) }
        daemon.crashFile.noteCrashes()
        try restoreDatabase()
        for moved in try store.sources.settleNames(configuration.drops) { journal.note(moved) }
        try removeShippedTemplates()
        let recovery = try store.queue.recover(after: crash)
        for file in recovery.held { journal.note(file) }
        let changedDefaults = try store.catalog.defaultsToAdopt(of: ChangedDefault.all)
        try adoptEarlierRelease()
        try retryRefused(butFor: changedDefaults)
        _ = try store.catalog.moveToDefaultCategory()
        try store.catalog.refreshEntries()
        tellStart(recovery, temporaries)
        try repairPublished()
    }

    /// If the database is new and stickers are already published, they keep their ids: the state folder was lost or
    /// moved.
    private func restoreDatabase() throws {
        let configuration = file.configuration
        guard try store.isEmpty() else { return }
        let rebuilt = try Rebuild.fill(
            store, out: configuration.out, drops: configuration.dropPaths,
            shipped: configuration.shippedDrop)
        guard !rebuilt.isEmpty else { return }
        logger.warning(
            "the database was lost; ids were taken from the published manifests",
            metadata: [
                LogKey.count: "\(rebuilt.stickers)", "categories": "\(rebuilt.categories)",
                "without.file": "\(rebuilt.withoutFile)",
            ])
        for folder in rebuilt.skippedFolders {
            logger.warning(
                "a folder was skipped, the stickers of its pictures count as having no file",
                metadata: [LogKey.detail: "\(folder)"])
        }
        for manifest in rebuilt.unreadable {
            logger.error("a manifest cannot be read", metadata: [LogKey.detail: "\(manifest)"])
        }
    }

    /// Removes the smart stickers that come with stickerd when they are switched off.
    private func removeShippedTemplates() throws {
        guard let left = try store.sources.unlistedShipped(file.configuration.dropPaths) else {
            return
        }
        let stickers = try store.catalog.removeDrop(left.path)
        logger.notice(
            "smart.enabled is off, the smart stickers of stickerd are removed",
            metadata: [LogKey.count: "\(stickers)"])
    }

    /// Keeps pictures made by an earlier release, although defaults have changed, until an operator asks for new ones.
    private func adoptEarlierRelease() throws {
        let renamed = try store.catalog.adoptChangedDefaults(
            ChangedDefault.all, in: file.configuration)
        tell(
            LogKey.count, renamed + (store.upgrade?.adopted ?? 0),
            "the library of an earlier release was taken over unchanged")
    }

    /// Retries files that an older release could not read and this one can, and files that a rule refused if the rule
    /// has changed, as a reload does.
    private func retryRefused(butFor defaults: [ChangedDefault]) throws {
        tell(
            "files", try store.operations.retryNewFormats(),
            "files that were refused for their format are tried again, as more formats are read now"
        )
        tell(
            "files",
            try store.retryRefused(
                whereChangedSinceTheLastRun: file.configuration, butFor: defaults),
            "refused files are tried again, as settings have changed since the last run")
    }

    /// Logs how many were changed, if any.
    private func tell(_ key: String, _ count: Int, _ message: Logger.Message) {
        if count > 0 { logger.notice(message, metadata: [key: "\(count)"]) }
    }

    private func tellStart(_ recovery: Recovery, _ temporaries: Int) {
        let configuration = file.configuration
        logger.notice(
            "started",
            metadata: [
                "configuration": "\(file.origin)",
                "drops": "\(configuration.dropPaths.joined(separator: ", "))",
                "out": "\(configuration.out)", "workers": "\(configuration.workerCount)",
                "rescued": "\(recovery.rescued)", "temporaries.removed": "\(temporaries)",
                "waiting": "\(recovery.available + recovery.waiting)",
            ])
    }

    private func repairPublished() throws {
        if daemon.isDraining {
            // Nobody waits for a drain to be ready, and the log takes room that stickers may need.
            store.mergeLog()
            try repair.run()
            _ = try redo.queue()
        } else if daemon.objects.isNew {
            try repair.run()
        } else {
            // Upkeep checks the pictures and looks for outdated ones once the daemon is ready.
            try repair.mendLists()
        }
    }
}
