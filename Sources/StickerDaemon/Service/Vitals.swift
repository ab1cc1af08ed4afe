import Logging
import StickerModel

extension Watchdog {
    /// A job may take 30 s by the clock; so much more is left to it before it counts as hanging.
    private static let workMax = Duration.seconds(30 + 15)

    /// Watches over all who own a queue of the daemon.
    convenience init(
        pool: WorkerPool, publisher: Publisher, upkeep: Upkeep, reporter: Reporter,
        watching: Watching, service: ServiceManager, logger: Logger
    ) {
        self.init(
            owners: [
                Owner(name: "pool") { pool.ping($0) },
                Owner(name: "publisher") { answer in publisher.ping { answer(nil) } },
                Owner(name: "upkeep") { answer in upkeep.ping { answer(nil) } },
                Owner(name: "reporter") { answer in reporter.ping { answer(nil) } },
                Owner(name: "watcher") { answer in watching.ping { answer(nil) } },
            ], workMax: Self.workMax, logger: logger, feed: { service.alive() })
        // Four times as often as the service manager demands.
        if let limit = service.watchdogInterval { start(every: limit / 4) }
    }
}
