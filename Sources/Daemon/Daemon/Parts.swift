import StickerModel
import StickerStore

/// The parts that the others report to. Each is built once per run.
struct Parts: Sendable {
    let reporter: Reporter
    let publisher: Publisher
    let packs: PackKeeper
    let progress: DrainProgress
    let redo: Redo
    let repair: Repair
    let watching: Watching
    let weather: WeatherWatch

    init(_ daemon: Daemon) {
        let logger = daemon.logger
        let isDraining = daemon.mode == .drain
        reporter = Reporter(
            store: daemon.store, service: daemon.service, settings: daemon.settings,
            terminal: isDraining ? daemon.terminal : nil, logger: logger)
        publisher = Publisher(
            catalog: daemon.catalog, isStarting: true, logger: logger, onWritten: reporter.work.note
        ) { [reporter] in reporter.set(.manifests, $0) }
        progress = DrainProgress(ending: daemon.ending, isDraining: isDraining)
        redo = Redo(store: daemon.store, settings: daemon.settings, logger: logger)
        repair = Repair(
            housekeeper: daemon.housekeeper, catalog: daemon.catalog, publisher: publisher,
            redo: redo, logger: logger)
        packs = PackKeeper(
            settings: daemon.settings, store: daemon.store, objects: daemon.objects,
            maker: daemon.maker, publisher: publisher, logger: logger, mend: repair.run
        ) { [reporter] in reporter.set(.packs, $0) }
        watching = Watching(isDraining: isDraining, logger: logger) { [store = daemon.store] mark in
            // If the database cannot be read, the file is avoided: it may crash the daemon.
            (try? store.queue.isAvoided(mark)) ?? true
        }
        weather = WeatherWatch(daemon.settings)
    }
}
