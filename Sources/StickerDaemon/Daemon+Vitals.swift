import Logging

extension Daemon {
    /// Watches over all who own a queue of the daemon.
    func makeWatchdog(
        _ pool: WorkerPool, _ publisher: Publisher, _ upkeep: Upkeep, _ reporter: Reporter,
        _ watching: Watching
    ) -> Watchdog {
        let watchdog = Watchdog(
            owners: [
                Watchdog.Owner(name: "pool", ping: pool.ping),
                Watchdog.Owner(name: "publisher", ping: publisher.ping),
                Watchdog.Owner(name: "upkeep", ping: upkeep.ping),
                Watchdog.Owner(name: "reporter", ping: reporter.ping),
                Watchdog.Owner(name: "watcher", ping: watching.ping),
            ], logger: logger, feed: { [service] in service.alive() })
        // Four times as often as the service manager demands.
        if let limit = service.watchdogInterval { watchdog.start(every: limit / 4) }
        return watchdog
    }
}
