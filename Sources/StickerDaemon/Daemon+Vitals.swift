import Logging
import StickerModel

extension Daemon {
    /// By the clock, on a busy machine, for one second of CPU time that a job may take.
    private static let patience = 2
    /// What is left to a job besides before it counts as hanging.
    private static let workMargin = Duration.seconds(15)

    /// Watches over all who own a queue of the daemon.
    func makeWatchdog(
        _ pool: WorkerPool, _ publisher: Publisher, _ upkeep: Upkeep, _ reporter: Reporter,
        _ watching: Watching
    ) -> Watchdog {
        let jobMax = settings.current.limits.cpuSecondsMax * Self.patience
        let watchdog = Watchdog(
            owners: [
                Watchdog.Owner(name: "pool") { pool.ping($0) },
                Watchdog.Owner(name: "publisher") { answer in publisher.ping { answer(nil) } },
                Watchdog.Owner(name: "upkeep") { answer in upkeep.ping { answer(nil) } },
                Watchdog.Owner(name: "reporter") { answer in reporter.ping { answer(nil) } },
                Watchdog.Owner(name: "watcher") { answer in watching.ping { answer(nil) } },
            ], workMax: .seconds(jobMax) + Self.workMargin, logger: logger,
            feed: { [service] in service.alive() })
        // Four times as often as the service manager demands.
        if let limit = service.watchdogInterval { watchdog.start(every: limit / 4) }
        return watchdog
    }
}
