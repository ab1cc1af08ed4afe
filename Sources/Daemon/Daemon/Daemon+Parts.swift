import Dispatch
import FoundationEssentials
import Logging
import StickerModel
import StickerReports
import StickerSmart
import StickerStore
import StickerSystem
import StickerWatch
import StickerWorkers

// How the parts are connected.

extension Daemon {
    /// Logs, publishes and counts the outcomes of jobs.
    func makePool(_ parts: Parts) -> WorkerPool {
        let executor = JobExecutor(
            settings: settings, store: store, objects: objects, maker: maker,
            isDraining: mode == .drain, look: parts.watching.look,
            weather: { [store] in parts.weather.outlook(store.now).weather },
            fonts: { [maker] in maker.fontsText })
        let journal = JobJournal(logger: logger)
        return WorkerPool(
            width: settings.current.workerCount, store: store, logger: logger,
            execute: { job, lane in
                Reading.job(job.id.rawValue).during { executor.run(job, on: lane) }
            },
            place: { results in
                let finished = executor.place(results)
                parts.reporter.work.note(placed: results, finished)
                return finished
            },
            onTurn: { turn in
                journal.note(turn)
                parts.publisher.changed(turn.turn.changedCategories)
                parts.redo.note(turn)
                parts.progress.note(turn, isMoreDue: parts.redo.isDue(since: turn.start))
                parts.reporter.note(turn)
            },
            onFailure: { error, inARow in
                parts.progress.note(failures: inARow)
                parts.reporter.set(.store, error.map { "results wait in memory: \($0)" })
            })
    }

    /// Records the watcher's findings, and reports them to the parts that act on them.
    func makeRegistrar(_ parts: Parts, _ pool: WorkerPool) -> Registrar {
        // Jobs of a drop wait until it is known which folder is in its place.
        for drop in file.configuration.dropPaths { store.sources.hold(drop: drop, isAbsent: true) }
        return Registrar(
            store: store, drops: file.configuration.dropPaths,
            settle: { [mode, settings] in
                mode == .drain ? .drain : SettleTime(settings.current.watch)
            }, logger: logger
        ) { [service] report in
            parts.progress.note(report)
            switch report {
            case .recorded(let categories):
                parts.publisher.changed(categories)
                service.stillStarting(extra: .seconds(90))
            case .returned:
                parts.redo.demand()
            case .failing(let line):
                parts.reporter.set(.intake, line)
            case .startScanFinished:
                parts.publisher.startScanFinished()
                parts.reporter.startScanFinished()
            }
            pool.wake()
        }
    }

    /// Applies a newer configuration part by part.
    func makeReloader(_ parts: Parts, _ pool: WorkerPool) -> Reloader {
        let (path, library) = (file.path, file.isOfUploads ? Library.uploads : .drops)
        return Reloader(
            settings: settings, store: store, service: service, logger: logger,
            load: { [maker] in
                var newer = try ConfigurationFile.load(
                    flag: path, environment: ProcessInfo.processInfo.environment,
                    workingFolder: FileManager.default.currentDirectoryPath
                ).readingFiles().of(library)
                try newer.configuration.checkSmart()
                do {
                    newer.warnings += try maker.check(filesOf: newer.configuration)
                } catch let error as WorkerUnavailable {
                    // Nothing is in force yet, so nothing has to be restored.
                    let message = "its files cannot be tested: \(error)"
                    throw ConfigurationError(faults: [JSONFault(path: "", message: message)])
                }
                return newer
            },
            apply: { [store, catalog] newer, before in
                // A configuration with an unknown language is not reloaded.
                parts.reporter.set(unknownLanguages: [])
                store.policy = StorePolicy(newer, believesDeletions: library == .uploads)
                _ = try store.catalog.moveToDefaultCategory()
                try store.catalog.refreshEntries()
                parts.publisher.changed(Set(try catalog.missingOrDirty()))
                pool.setWidth(newer.workerCount)
                if newer.watch != before.watch {
                    try parts.watching.restart(newer, before: before)
                }
                try store.retryRefused(whereChanged: newer, from: before)
                pool.wake()
                parts.redo.demand()
                parts.packs.steered()
                try parts.publisher.betweenPublications {
                    try catalog.publishIndex()
                    try catalog.publishRemovals()
                }
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

    func makeUpkeep(_ parts: Parts, _ pool: WorkerPool) -> Upkeep {
        Upkeep(
            settings: settings, store: store, housekeeper: housekeeper, pool: pool,
            publisher: parts.publisher, packs: parts.packs, reporter: parts.reporter,
            progress: parts.progress,
            redo: parts.redo, repair: parts.repair, watching: parts.watching,
            weather: parts.weather, fonts: { [maker] in maker.fontsText },
            uploads: file.isOfUploads ? UploadStatusKeeper(store, file.configuration) : nil,
            ending: mode == .drain ? ending : nil, logger: logger)
    }
}
