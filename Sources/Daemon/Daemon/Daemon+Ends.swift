import Logging
import StickerLogs
import StickerModel
import StickerStore
import StickerWorkers

// Recovery before the work, and cleaning up after it.

extension Daemon {
    /// Repairs the leftovers of an earlier stop.
    func recover(_ parts: Parts) throws {
        let configuration = file.configuration
        let temporaries = housekeeper.removeTemporaries()
        let crash = crashFile.crash()
        try crash.map { try store.queue.note($0) }
        crashFile.noteCrashes()
        try restoreBooks()
        for moved in try store.sources.settleNames(configuration.drops) {
            JobJournal(logger: logger).note(moved)
        }
        try removeShippedTemplates()
        let recovery = try store.queue.recover(after: crash)
        for file in recovery.held { JobJournal(logger: logger).note(file) }
        let changedDefaults = try store.catalog.defaultsToAdopt(of: ChangedDefault.all)
        try adoptEarlierRelease()
        try retryNewFormats()
        try retryUnderChangedRules(butFor: changedDefaults)
        _ = try store.catalog.moveToDefaultCategory()
        try store.catalog.refreshEntries()
        logger.notice(
            "started",
            metadata: [
                "configuration": "\(file.origin)",
                "drops": "\(configuration.dropPaths.joined(separator: ", "))",
                "out": "\(configuration.out)", "workers": "\(configuration.workerCount)",
                "rescued": "\(recovery.rescued)", "temporaries.removed": "\(temporaries)",
                "waiting": "\(recovery.available + recovery.waiting)",
            ])
        if mode == .drain {
            // Nobody waits for a drain to be ready, and the log takes room that stickers may need.
            store.mergeLog()
            try parts.repair.run()
            _ = try parts.redo.queue()
        } else if objects.isNew {
            try parts.repair.run()
        } else {
            // Upkeep checks the pictures and looks for outdated ones once the daemon is ready.
            try parts.repair.mendLists()
        }
    }

    /// Logs that the database of an earlier release was copied and migrated.
    static func tell(_ upgrade: Upgrade, _ logger: Logger) {
        let record = upgrade.earlier.record
        logger.info(
            "the database was copied before its tables were changed",
            metadata: [
                "from": "\(record.from)", "to": "\(record.to)", "copy": "\(upgrade.earlier.path)",
                "seconds": "\(upgrade.duration.components.seconds)",
                "kept.until": "\(record.keptUntil.asDate)",
            ])
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

    /// Logs the formats whose programs are not installed; their pictures are refused by name.
    func noteMissingFormats() throws {
        let missing = WorkerProgram.missingFormats(beside: try WorkerProgram.find())
        guard !missing.isEmpty else { return }
        logger.warning(
            "pictures of some formats are refused, because worker programs are missing",
            metadata: ["formats": "\(missing.map(\.name).joined(separator: ", "))"])
    }

    /// Retries files that an older release could not read and this one can.
    private func retryNewFormats() throws {
        let retried = try store.operations.retryNewFormats()
        guard retried > 0 else { return }
        logger.notice(
            "files that were refused for their format are tried again, as more formats are read now",
            metadata: ["files": "\(retried)"])
    }

    /// Retries files that a rule refused if the rule has changed, as a reload does.
    private func retryUnderChangedRules(butFor defaults: [ChangedDefault]) throws {
        let retried = try store.retryRefused(
            whereChangedSinceTheLastRun: file.configuration, butFor: defaults)
        guard retried > 0 else { return }
        logger.notice(
            "refused files are tried again, as settings have changed since the last run",
            metadata: ["files": "\(retried)"])
    }

    /// Keeps pictures made by an earlier release, although defaults have changed, until an operator asks for new ones.
    private func adoptEarlierRelease() throws {
        let renamed = try store.catalog.adoptChangedDefaults(
            ChangedDefault.all, in: file.configuration)
        let adopted = renamed + (store.upgrade?.adopted ?? 0)
        guard adopted > 0 else { return }
        logger.notice(
            "the library of an earlier release was taken over unchanged",
            metadata: [LogKey.count: "\(adopted)"])
    }

    /// If the database is new and stickers are already published, they keep their ids: the state folder was lost or
    /// moved.
    private func restoreBooks() throws {
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

    /// Lets running jobs finish and writes every manifest that is due; after a drain, every pack, too.
    ///
    /// - Returns: whether every manifest is up to date, and whether some jobs are still running.
    func stop(
        _ pool: WorkerPool, _ parts: Parts, isDrained: Bool
    ) -> (isPublished: Bool, isCutOff: Bool) {
        let deadline = ContinuousClock.now + Self.stopMax
        let isDone = pool.stop { ContinuousClock.now < deadline && !ending.isUrgent }
        if !isDone {
            logger.warning("some jobs did not end in time; the next start resumes them")
        }
        var unwritten: [String] = []
        if isDrained {
            parts.publisher.flush()
            unwritten += parts.packs.finish()
            parts.reporter.writeAttention()
        }
        parts.packs.stop()
        unwritten += parts.publisher.stop()
        parts.reporter.writeMetrics()
        if let first = unwritten.first {
            logger.error(
                "some manifests or packs could not be written; the next start writes them",
                metadata: [LogKey.count: "\(unwritten.count)", LogKey.error: "\(first)"])
        }
        // Otherwise the note made a minute ago is kept.
        try? store.queue.noteAlive()
        logger.notice("stopped")
        return (unwritten.isEmpty, !isDone)
    }

    /// Examines the pictures that an earlier release made. If this fails, the next start does it.
    func examineAll(_ upkeep: Upkeep) {
        do {
            try upkeep.examineAll(ending)
        } catch {
            logger.warning(
                "pictures of an earlier release could not be examined",
                metadata: [LogKey.error: "\(error)"])
        }
    }

    /// How long running jobs may take after a request to stop.
    private static let stopMax = Duration.seconds(20)

    /// `isComplete` is true if every folder was read and every manifest written.
    func exitCode(_ reason: Ending.Reason, isComplete: Bool) throws -> Int32 {
        switch (mode, reason) {
        case (_, .damaged): 1
        case (.watch, _): 0
        case (.drain, .signal), (.drain, .stuck): 1
        case (.drain, .drained):
            isComplete ? try drained(store.operations.status(countsOutdated: false)) : 1
        }
    }

    /// Work left after a drain needs attention.
    private func drained(_ status: StoreStatus) throws -> Int32 {
        if status.waiting > 0 {
            logger.warning(
                "jobs are left waiting: paused, or their drop folder is away",
                metadata: [
                    LogKey.count: "\(status.waiting)", LogKey.see: "\(OperatorCommand("status"))",
                ])
        }
        if status.needAttention > 0 {
            logger.warning(
                "\(status.needAttention.counted("file is", "files are")) refused",
                metadata: [
                    LogKey.count: "\(status.needAttention)",
                    LogKey.see: "\(OperatorCommand("jobs --attention"))",
                ])
        }
        let isAllSeen = store.sources.heldDrops.isEmpty
        let held = try store.catalog.deletionHolds()
        return status.needAttention + status.waiting + held.count > 0 || !isAllSeen ? 3 : 0
    }
}
