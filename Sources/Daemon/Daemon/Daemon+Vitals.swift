import Logging

extension Daemon {
    /// Watches all parts of the daemon that own a queue.
    func makeWatchdog(_ parts: Parts, _ pool: WorkerPool, _ upkeep: Upkeep) -> Watchdog {
        let watchdog = Watchdog(
            owners: [
                Watchdog.Owner(name: "pool", ping: pool.ping),
                Watchdog.Owner(name: "publisher", ping: parts.publisher.ping),
                Watchdog.Owner(name: "upkeep", ping: upkeep.ping),
                Watchdog.Owner(name: "reporter", ping: parts.reporter.ping),
                Watchdog.Owner(name: "watcher", ping: parts.watching.ping),
            ], logger: logger, feed: { [service] in service.alive() })
        // Four times as often as the service manager requires.
        if let limit = service.watchdogInterval { watchdog.start(every: limit / 4) }
        return watchdog
    }
}
