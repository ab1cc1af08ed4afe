import Logging
import StickerModel

extension Watchdog {
    /// By the clock, on a busy machine, for one second of CPU time that a job may take.
    private static let patience = 2
    /// What is left to a job besides before it counts as hanging.
    private static let workMargin = Duration.seconds(15)

    /// Watches over all who own a queue of the daemon.
    convenience init(
        pool: WorkerPool, publisher: Publisher, upkeep: Upkeep, reporter: Reporter,
        watching: Watching, service: ServiceManager, limits: DecodeLimits, logger: Logger
    ) {
        self.init(
            owners: [
                Owner(name: "pool") { pool.ping($0) },
                Owner(name: "publisher") { answer in publisher.ping { answer(nil) } },
                Owner(name: "upkeep") { answer in upkeep.ping { answer(nil) } },
                Owner(name: "reporter") { answer in reporter.ping { answer(nil) } },
                Owner(name: "watcher") { answer in watching.ping { answer(nil) } },
            ],
            workMax: .seconds(limits.cpuSecondsMax * Self.patience) + Self.workMargin,
            logger: logger, feed: { service.alive() })
        // Four times as often as the service manager demands.
        if let limit = service.watchdogInterval { start(every: limit / 4) }
    }
}
