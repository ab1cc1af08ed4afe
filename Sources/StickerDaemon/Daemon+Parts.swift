import Dispatch
import FoundationEssentials
import Logging
import StickerModel
import StickerStore
import StickerWatch
import StickerWorkers

// The parts, and who tells whom of what.

extension Daemon {
    func makeReporter() -> Reporter {
        Reporter(
            store: store, service: service, drops: file.configuration.drops.count,
            terminal: mode == .drain ? terminal : nil, logger: logger)
    }

    /// What jobs come to is logged, published and counted.
    func makePool(
        _ watching: Watching, _ publisher: Publisher, _ reporter: Reporter,
        _ progress: DrainProgress, _ redo: Redo
    ) -> WorkerPool {
        let executor = JobExecutor(
            settings: settings, store: store, objects: objects, maker: maker,
            isDraining: mode == .drain, look: watching.look)
        let journal = JobJournal(logger: logger)
        return WorkerPool(
            width: settings.current.workerCount, store: store, logger: logger,
            execute: { [running] job, lane in
                running.begin(job.id)
                defer { running.end(job.id) }
                return executor.run(job, on: lane)
            },
            place: executor.place,
            onTurn: { turn in
                journal.note(turn)
                publisher.changed(turn.turn.changedCategories)
                progress.note(turn)
                reporter.note(turn)
                redo.note(turn)
            },
            onFailure: { error, inARow in
                progress.note(failures: inARow)
                reporter.set(.store, error.map { "results wait in memory: \($0)" })
            })
    }

    /// What the watcher sees goes into the books, and from there to those who act on it.
    func makeRegistrar(
        _ pool: WorkerPool, _ publisher: Publisher, _ reporter: Reporter,
        _ progress: DrainProgress, _ redo: Redo
    ) -> Registrar {
        // Until it is known which folder lies in a drop's place, its jobs wait.
        for drop in file.configuration.drops { store.hold(drop: drop, isAbsent: true) }
        return Registrar(
            store: store,
            settle: { [mode, settings] in
                mode == .drain ? .drain : SettleTime(settings.current.watch)
            }, logger: logger
        ) { [service] report in
            progress.note(report)
            switch report {
            case .recorded(let categories):
                publisher.changed(categories)
                service.stillStarting(extra: .seconds(90))
            case .returned:
                redo.demand()
            case .failing(let line):
                reporter.set(.intake, line)
            case .startScanFinished:
                reporter.startScanFinished()
            }
            pool.wake()
        }
    }

    func makeReloader(
        _ watching: Watching, _ pool: WorkerPool, _ publisher: Publisher, _ redo: Redo
    ) -> Reloader {
        let path = file.path
        return Reloader(
            settings: settings, store: store, service: service, logger: logger,
            load: { () throws(ConfigurationError) in
                try ConfigurationFile.load(
                    flag: path, environment: ProcessInfo.processInfo.environment,
                    workingFolder: FileManager.default.currentDirectoryPath)
            },
            apply: { [store, catalog] newer, before in
                store.policy = StorePolicy(newer)
                _ = try store.moveToDefaultCategory()
                _ = try store.refreshEntries()
                publisher.changed(Set(try catalog.missingOrDirty()))
                try publisher.betweenPublications { try catalog.publishIndex() }
                pool.setWidth(newer.workerCount)
                if newer.watch != before.watch {
                    try watching.restart(newer, before: before)
                }
                try store.retryRefused(whereChanged: newer, from: before)
                redo.demand()
            })
    }

    func makeSignals(_ reloader: Reloader) -> Signals {
        Signals(
            queue: DispatchQueue(label: "stickerd.signals"),
            stop: { [self] in
                logger.notice("stopping")
                service.stopping()
                ending.requestStop()
            },
            reload: { reloader.reload() })
    }

    func makeUpkeep(
        _ pool: WorkerPool, _ publisher: Publisher, _ reporter: Reporter,
        _ progress: DrainProgress, _ redo: Redo, _ repair: Repair
    ) -> Upkeep {
        Upkeep(
            settings: settings, store: store, housekeeper: housekeeper, pool: pool,
            publisher: publisher, reporter: reporter, progress: progress, redo: redo,
            repair: repair, ending: mode == .drain ? ending : nil, logger: logger)
    }
}
