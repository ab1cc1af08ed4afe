import Logging
import StickerLogs
import StickerModel
import StickerStore
import Synchronization

/// Makes stickers again whose category now has a different recipe; the old ones are served meanwhile.
final class Redo: Sendable {
    private let store: JobStore
    private let settings: Settings
    private let logger: Logger
    private let demands = Mutex(Demands())

    private struct Demands {
        var made = 0
        var met = 0
        var lastMet: ContinuousClock.Instant?
    }

    init(store: JobStore, settings: Settings, logger: Logger) {
        self.store = store
        self.settings = settings
        self.logger = logger
    }

    /// Notes that something may be out of date.
    func demand() { demands.withLock { $0.made += 1 } }

    /// Whether a turn that began at `start` may have looked before the jobs of a demand were queued.
    func isDue(since start: ContinuousClock.Instant) -> Bool {
        demands.withLock { demands in
            demands.made > demands.met || demands.lastMet.map { $0 >= start } == true
        }
    }

    /// Notes jobs that began under older settings: their results are out of date.
    func note(_ turn: PoolTurn) {
        let isStale = turn.finished.contains { finished in
            guard case .made(let product, _) = finished.outcome else { return false }
            // A sticker to which something was granted only seems to be out of date.
            let wanted = settings.recipe(of: finished.job.categoryNames)
            return !wanted.ofPicture(isCMYK: finished.isCMYK == true).contains(product.recipe)
        }
        if isStale { demand() }
    }

    /// Queues what is out of date, if there is a demand; one that fails is left for the next call.
    ///
    /// - Returns: whether there was a demand.
    func queueOnDemand() throws -> Bool {
        let demand = demands.withLock { $0.made > $0.met ? $0.made : nil }
        guard let demand else { return false }
        _ = try queue()
        demands.withLock { ($0.met, $0.lastMet) = (demand, .now) }
        return true
    }

    /// Queues what is out of date.
    ///
    /// - Returns: whether there is new work.
    func queue() throws -> Bool {
        let added = try store.redoStale { settings.recipe(of: $0, granting: $1) }
        guard added > 0 else { return false }
        logger.notice(
            "stickers are brought up to date: settings changed, or files were missing",
            metadata: [LogKey.count: "\(added)"])
        return true
    }

    /// How many are queued at a time: few, so that a change of mind takes effect soon.
    private static let idleBatch = 50

    /// Queues some pictures made by an older release, if the configuration asks for it and there is nothing
    /// else to do.
    ///
    /// - Returns: whether there is new work.
    func queueWhenIdle() throws -> Bool {
        guard settings.current.renew == .idle else { return false }
        let status = try store.status(countsOutdated: false)
        guard status.waiting + status.working == 0 else { return false }
        let queued = try store.renewOutdated(limit: Self.idleBatch).queued.count
        guard queued > 0 else { return false }
        logger.notice(
            "stickers of an older release are made again, as there is nothing else to do",
            metadata: [LogKey.count: "\(queued)"])
        return true
    }
}
