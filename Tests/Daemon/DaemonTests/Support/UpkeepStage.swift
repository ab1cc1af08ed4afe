import Foundation
import StickerConfiguration
import StickerStore
import StickerTestSupport
import StickerValues
import StickerWatch
import Synchronization

@testable import StickerDaemon

/// A workshop with a pool that works, and somebody who looks after it.
final class UpkeepStage: Sendable {
    let workshop: Workshop
    let log = LogLines()
    let pool: WorkerPool
    let progress: DrainProgress
    let redo: Redo
    let ending = Ending()
    private let service = ServiceManager(watchdogInterval: nil) { _ in }
    private let publisher: Publisher
    private let reporter: Reporter
    private let upkeep = Mutex<Upkeep?>(nil)
    private let rounds = Mutex(0)

    /// One file is a sticker from the beginning: its settings change to prove that a round was done.
    init(_ configure: (inout Configuration) -> Void = { _ in }) throws {
        workshop = try Workshop {
            $0.publish.freeSpaceReserveBytes = 0
            configure(&$0)
        }
        try workshop.drop("rounds/a.png", "done again in every round")
        try workshop.work()
        redo = Redo(store: workshop.store, settings: workshop.settings, logger: log.logger)
        progress = DrainProgress(ending: ending, isDraining: false)
        reporter = Reporter(
            store: workshop.store, service: service, settings: workshop.settings,
            terminal: nil, logger: log.logger)
        publisher = Publisher(
            catalog: CatalogPublisher(catalog: workshop.store.catalog, objects: workshop.objects),
            logger: log.logger
        ) { _ in }
        let executor = workshop.executor()
        pool = WorkerPool(
            width: 1, jobs: workshop.store.queue,
            execute: { executor.run($0, on: $1) }, place: executor.place,
            onTurn: { [publisher] in publisher.changed($0.turn.changedCategories) },
            onFailure: { _, _ in })
    }

    deinit {
        upkeep.withLock { $0 }?.stop()
        reporter.stop()
        _ = pool.stop { false }
        _ = publisher.stop()
    }

    /// Begins to work and to look after things, as a drain where `isDraining`.
    func start(isDraining: Bool = false) {
        pool.start()
        reporter.start { .init() }
        let (store, objects) = (workshop.store, workshop.objects)
        let housekeeper = Housekeeper(
            catalog: store.catalog, objects: objects, out: workshop.folder.path("out"))
        let repair = Repair(
            housekeeper: housekeeper,
            catalog: CatalogPublisher(catalog: store.catalog, objects: objects),
            publisher: publisher, redo: redo, logger: log.logger)
        let packs = PackKeeper(
            writer: PackWriter(
                settings: workshop.settings, store: store, objects: objects, maker: workshop.maker,
                publisher: publisher, logger: log.logger), mend: repair.run
        ) { _ in }
        let listeners = Listeners(
            service: service, journal: JobJournal(logger: log.logger), reporter: reporter,
            publisher: publisher, progress: progress, redo: redo, repair: repair, packs: packs)
        upkeep.withLock {
            $0 = Upkeep(
                settings: workshop.settings, store: store, housekeeper: housekeeper, pool: pool,
                listeners: listeners, watching: Watching(logger: log.logger),
                templates: TemplateRenewal(
                    store.queue, workshop.settings, WeatherWatch(workshop.settings),
                    logger: log.logger
                ) { "" }, uploads: nil, ending: isDraining ? ending : nil, logger: log.logger)
            $0?.start()
        }
    }

    /// Waits until every chore of one more round was done.
    func round() async throws -> Bool {
        // A sticker is done again in the middle of a round; when that happens twice, one was whole.
        for _ in 1...2 {
            let recipe = rounds.withLock { rounds in
                rounds += 1
                return workshop.change("rounds", quality: 20 + rounds)
            }
            redo.demand()
            let key = workshop.key("rounds/a.png")
            let isDone = try await waitUntil {
                try workshop.store.catalog.liveProduct(of: key)?.product.recipe
                    == recipe.still.whole
            }
            guard isDone else { return false }
        }
        return true
    }

    /// Waits until the numbers of the store are as they should be.
    func status(_ isMet: (StoreStatus) -> Bool) async throws -> Bool {
        try await waitUntil { isMet(try workshop.store.operations.status()) }
    }
}
