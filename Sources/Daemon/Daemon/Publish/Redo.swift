import Logging
import StickerConfiguration
import StickerProgram
import StickerStore
import StickerValues
import Synchronization

/// Makes stickers again when the recipe of their category has changed; the old ones are served meanwhile.
final class Redo: Sendable {
    private let store: LibraryStore
    private let settings: Settings
    private let logger: Logger
    private let demands = Mutex(Demands())

    private struct Demands {
        var made = 0
        var met = 0
        var lastMet: ContinuousClock.Instant?
    }

    init(store: LibraryStore, settings: Settings, logger: Logger) {
        (self.store, self.settings, self.logger) = (store, settings, logger)
    }

    /// Notes that something may be outdated.
    func demand() { demands.withLock { $0.made += 1 } }

    /// Whether a turn that began at `start` may have missed the jobs of a demand.
    func isDue(since start: ContinuousClock.Instant) -> Bool {
        demands.withLock { demands in
            demands.made > demands.met || demands.lastMet.map { $0 >= start } == true
        }
    }

    /// Notes jobs that began under older settings or looks: their results are outdated.
    func note(_ turn: PoolTurn) {
        let hasWords = turn.finished.contains { finished in
            if case .said = finished.outcome { true } else { false }
        }
        // After a failure the next call of `queueOnDemand` looks again.
        if hasWords { try? noteLooks() }
        let isStale = turn.finished.contains { finished in
            guard case .made(let product, _) = finished.outcome else { return false }
            var category = finished.job.categoryNames
            do {
                category.look = try store.catalog.look(of: finished.job.category)
            } catch {
                return true
            }
            // A sticker with concessions only seems to be outdated.
            guard let wanted = settings.recipe(of: category) else { return false }
            return !wanted.ofPicture(isCMYK: finished.isCMYK == true).contains(product.recipe)
        }
        if isStale { demand() }
    }

    /// Demands a look at all stickers if the look of a category changed.
    private func noteLooks() throws {
        if try store.queue.takeRestyled() { demand() }
    }

    /// Queues outdated stickers if there is a demand; after a failure the next call retries.
    ///
    /// - Returns: whether there was a demand.
    func queueOnDemand() throws -> Bool {
        try noteLooks()
        let demand = demands.withLock { $0.made > $0.met ? $0.made : nil }
        guard let demand else { return false }
        _ = try queue()
        demands.withLock { ($0.met, $0.lastMet) = (demand, .now) }
        return true
    }

    /// Queues outdated stickers.
    ///
    /// - Returns: whether there is new work.
    func queue() throws -> Bool {
        let added = try store.queue.redoStale { settings.recipe(of: $0, granting: $1) }
        guard added > 0 else { return false }
        logger.notice(
            "stickers are brought up to date: settings changed, or files were missing",
            metadata: [LogKey.count: "\(added)"])
        return true
    }

    /// How many are queued at a time: few, so that a changed setting takes effect soon.
    private static let idleBatch = 50

    /// Queues some pictures made by an older release, if the configuration asks for it and nothing else is to do.
    ///
    /// - Returns: whether there is new work.
    func queueWhenIdle() throws -> Bool {
        guard settings.current.renew == .idle else { return false }
        let status = try store.operations.status(countsOutdated: false)
        guard status.waiting + status.working == 0 else { return false }
        let queued = try store.operations.renewOutdated(limit: Self.idleBatch).queued.count
        guard queued > 0 else { return false }
        logger.notice(
            "stickers of an older release are made again, as there is nothing else to do",
            metadata: [LogKey.count: "\(queued)"])
        return true
    }
}
