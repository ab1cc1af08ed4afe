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
    private let isDue = Mutex(false)

    init(store: JobStore, settings: Settings, logger: Logger) {
        self.store = store
        self.settings = settings
        self.logger = logger
    }

    /// Notes that something may be out of date.
    func demand() { isDue.withLock { $0 = true } }

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

    /// Queues what is out of date, if there was a demand.
    ///
    /// - Returns: whether there is new work.
    func queueOnDemand() throws -> Bool {
        let isWanted = isDue.withLock { isDue in
            defer { isDue = false }
            return isDue
        }
        guard isWanted else { return false }
        do {
            return try queue()
        } catch {
            demand()
            throw error
        }
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
