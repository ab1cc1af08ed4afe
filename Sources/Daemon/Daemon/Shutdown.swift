import Logging
import StickerConfiguration
import StickerProgram
import StickerStore
import StickerValues
import StickerWatch

/// The end of the daemon: stops the parts in order, and chooses the exit code.
struct Shutdown: Sendable {
    /// How long running jobs may take after a request to stop.
    private static let jobsMax = Duration.seconds(20)

    let daemon: Daemon
    let listeners: Listeners
    let watching: Watching
    let pool: WorkerPool
    let upkeep: Upkeep
    let watchdog: Watchdog

    private var store: LibraryStore { daemon.store }
    private var logger: Logger { daemon.logger }

    /// Stops everything; after a drain, also does what later rounds would have done.
    ///
    /// - Returns: the exit code, and whether some jobs are still running.
    func run(_ reason: Ending.Reason) throws -> (code: Int32, isCutOff: Bool) {
        watchdog.stop()
        listeners.reporter.stop()
        upkeep.stop()
        watching.stop()
        let (isDrained, hasSeenAll) = (reason == .drained, !watching.status.isBlind)
        if isDrained, hasSeenAll { try upkeep.expireAll() }
        let isDone = finishJobs()
        let isPublished = publishAll(isDrained: isDrained)
        // Otherwise the note made a minute ago is kept.
        try? store.queue.noteAlive()
        logger.notice("stopped")
        if isDrained { try upkeep.tellUsers() }
        if isDrained, hasSeenAll, isDone { examineAll() }
        return (try exitStatus(reason, isComplete: hasSeenAll && isPublished), !isDone)
    }

    /// Lets running jobs finish.
    ///
    /// - Returns: whether all of them did.
    private func finishJobs() -> Bool {
        let deadline = ContinuousClock.now + Self.jobsMax
        let isDone = pool.stop { ContinuousClock.now < deadline && !daemon.ending.isUrgent }
        if !isDone {
            logger.warning("some jobs did not end in time; the next start resumes them")
        }
        return isDone
    }

    /// Writes every manifest that is due; after a drain, every pack, too.
    ///
    /// - Returns: whether everything is up to date.
    private func publishAll(isDrained: Bool) -> Bool {
        var unwritten: [String] = []
        if isDrained {
            listeners.publisher.flush()
            unwritten += listeners.packs.finish()
            listeners.reporter.writeAttention()
        }
        listeners.packs.stop()
        unwritten += listeners.publisher.stop()
        listeners.reporter.writeMetrics()
        if let first = unwritten.first {
            logger.error(
                "some manifests or packs could not be written; the next start writes them",
                metadata: [LogKey.count: "\(unwritten.count)", LogKey.error: "\(first)"])
        }
        return unwritten.isEmpty
    }

    /// Examines the pictures that an earlier release made. If this fails, the next start does it.
    private func examineAll() {
        do {
            try upkeep.examineAll(daemon.ending)
        } catch {
            logger.warning(
                "pictures of an earlier release could not be examined",
                metadata: [LogKey.error: "\(error)"])
        }
    }

    /// `isComplete` is true if every folder was read and every manifest written.
    private func exitStatus(_ reason: Ending.Reason, isComplete: Bool) throws -> Int32 {
        switch reason {
        case .damaged: 1
        case .signal, .stuck: daemon.isDraining ? 1 : 0
        case .drained: isComplete ? try drained(store.operations.status(countsOutdated: false)) : 1
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
