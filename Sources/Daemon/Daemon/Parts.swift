import StickerConfiguration
import StickerReports
import StickerStore
import StickerSystem
import StickerValues
import StickerWorkers

// All parts of the daemon and who calls whom: a part calls those that it is built with, and a closure is a call.

extension Listeners {
    init(_ daemon: Daemon) {
        let (settings, store, logger) = (daemon.settings, daemon.store, daemon.logger)
        service = daemon.service
        journal = JobJournal(logger: logger)
        reporter = Reporter(
            store: store, service: service, settings: settings,
            terminal: daemon.isDraining ? daemon.terminal : nil, logger: logger)
        publisher = Publisher(
            catalog: daemon.catalog, isStarting: true, logger: logger,
            onWritten: reporter.work.note
        ) { [reporter] in reporter.set(.manifests, $0) }
        progress = DrainProgress(ending: daemon.ending, isDraining: daemon.isDraining)
        redo = Redo(store: store, settings: settings, logger: logger)
        repair = Repair(
            housekeeper: daemon.housekeeper, catalog: daemon.catalog, publisher: publisher,
            redo: redo, logger: logger)
        packs = PackKeeper(
            writer: PackWriter(
                settings: settings, store: store, objects: daemon.objects, maker: daemon.maker,
                publisher: publisher, logger: logger), mend: repair.run
        ) { [reporter] in reporter.set(.packs, $0) }
    }

    /// The pool recorded finished jobs and claimed new ones.
    func note(_ turn: PoolTurn) {
        journal.note(turn)
        publisher.changed(turn.turn.changedCategories)
        redo.note(turn)
        progress.note(turn, isMoreDue: redo.isDue(since: turn.start))
        reporter.note(turn)
    }

    /// The pool cannot record anything, for this many turns in a row, or with `nil`, it can again.
    func note(_ error: StoreError?, inARow: Int) {
        progress.note(failures: inARow)
        reporter.set(.store, error.map { "results wait in memory: \($0)" })
    }

    /// The registrar recorded a part of a batch, or could not.
    func note(_ report: Registrar.Report) {
        switch report {
        case .recorded(let categories):
            publisher.changed(categories)
            service.stillStarting(extra: .seconds(90))
        case .returned:
            redo.demand()
        case .failing(let line):
            reporter.set(.intake, line)
        case .startScanFinished:
            progress.startScanFinished()
            publisher.startScanFinished()
            reporter.startScanFinished()
        }
    }
}

/// The parts that work, and those that begin and end the work.
struct Parts: Sendable {
    let listeners: Listeners
    let watching: Watching
    let weather: WeatherWatch
    let pool: WorkerPool
    let registrar: QueueConfined<Registrar>
    let reloader: Reloader
    let upkeep: Upkeep
    let watchdog: Watchdog
    let startup: Startup
    let shutdown: Shutdown

    init(_ daemon: Daemon) {
        let (file, settings, logger) = (daemon.file, daemon.settings, daemon.logger)
        let (store, maker) = (daemon.store, daemon.maker)
        let isDraining = daemon.isDraining
        let listeners = Listeners(daemon)
        self.listeners = listeners
        watching = Watching(isDraining: isDraining, logger: logger) { mark in
            // If the database cannot be read, the file is avoided: it may crash the daemon.
            (try? store.queue.isAvoided(mark)) ?? true
        }
        weather = WeatherWatch(settings)
        let executor = JobExecutor(
            settings: settings, store: store, objects: daemon.objects, maker: maker,
            isDraining: isDraining, look: watching.look,
            weather: { [weather] in weather.outlook(store.now).weather },
            marksFaults: { try maker.markFaults(of: $1, in: $0) }, fonts: { maker.fontsText })
        pool = WorkerPool(
            width: settings.current.workerCount, jobs: store.queue, execute: executor.run,
            place: { results in
                let finished = executor.place(results)
                listeners.reporter.work.note(placed: results, finished)
                return finished
            },
            onTurn: listeners.note, onFailure: listeners.note)
        registrar = QueueConfined(
            Registrar(
                store: store, drops: file.configuration.dropPaths,
                settle: { isDraining ? .drain : SettleTime(settings.current.watch) },
                logger: logger
            ) { [pool] report in
                listeners.note(report)
                pool.wake()
            }, label: "stickerd.intake")
        reloader = Reloader(daemon: daemon, listeners: listeners, watching: watching, pool: pool)
        upkeep = Upkeep(
            settings: settings, store: store, housekeeper: daemon.housekeeper, pool: pool,
            listeners: listeners, watching: watching,
            templates: TemplateRenewal(store.queue, settings, weather, logger: logger) {
                maker.fontsText
            },
            uploads: file.isOfUploads
                ? UploadStatusKeeper(store.operations, file.configuration) : nil,
            ending: isDraining ? daemon.ending : nil, logger: logger)
        watchdog = Watchdog(
            owners: [
                "pool": pool.ping, "publisher": listeners.publisher.ping, "upkeep": upkeep.ping,
                "reporter": listeners.reporter.ping, "watcher": watching.ping,
            ], logger: logger, feed: listeners.service.alive)
        startup = Startup(daemon: daemon, repair: listeners.repair, redo: listeners.redo)
        shutdown = Shutdown(
            daemon: daemon, listeners: listeners, watching: watching, pool: pool, upkeep: upkeep,
            watchdog: watchdog)
    }
}
