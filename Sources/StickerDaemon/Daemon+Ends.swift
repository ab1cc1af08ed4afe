import FoundationEssentials
import Logging
import StickerModel
import StickerStore

// What comes before the work, and what comes after it.

extension Daemon {
    /// Sets right what an earlier stop left behind.
    func recover(_ publisher: Publisher) throws {
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

    /// Lets what runs come to its end, and writes every manifest that is due.
    ///
    /// - Returns: whether every manifest shows what the store holds.
    func stop(_ pool: WorkerPool, _ publisher: Publisher) -> Bool {
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

    /// How long running jobs may take after a request to stop.
    private static let stopMax = Duration.seconds(20)

    /// `isComplete` says that every folder was read and every manifest written.
    func exitCode(_ reason: Ending.Reason, isComplete: Bool) throws -> Int32 {
        switch (mode, reason) {
        case (.watch, _): return 0
        case (.drain, .signal), (.drain, .stuck): return 1
        case (.drain, .drained):
            guard isComplete else { return 1 }
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
