import CoreMetrics
import StickerConfiguration
import StickerMetrics
import StickerReports
import StickerStore
import StickerSystem
import StickerValues
import StickerWatch

/// Sets the gauges from figures that other parts keep.
struct StateMetrics {
    private let factory: any MetricsFactory
    private var scans: TotalFollower
    private var overflows: TotalFollower
    /// Reasons of refusals shown so far: a gauge remains until it is set to 0.
    private var reasons: Set<String> = []

    init(in factory: any MetricsFactory) {
        self.factory = factory
        scans = TotalFollower(DaemonFamilies.scans.sum(in: factory))
        overflows = TotalFollower(DaemonFamilies.overflows.sum(in: factory))
    }

    /// Copies the figures of the store.
    mutating func take(_ status: StoreStatus) {
        for state in JobState.allCases {
            set(DaemonFamilies.jobs, state.rawValue, to: status.jobs[state.rawValue, default: 0])
        }
        let age = Double(status.oldestWaitingMilliseconds ?? 0) / 1000
        DaemonFamilies.oldestWaiting.gauge(in: factory).set(age)
        reasons.formUnion(status.reasons.keys)
        for reason in reasons {
            set(DaemonFamilies.refusedFiles, reason, to: status.reasons[reason, default: 0])
        }
        set(DaemonFamilies.missingFiles, to: status.missing)
        set(DaemonFamilies.stickers, to: status.stickers)
        set(DaemonFamilies.categories, to: status.categories)
    }

    /// Copies the figures of the watcher.
    mutating func take(_ line: StatusLine) {
        let watch = line.watch
        set(DaemonFamilies.ready, to: line.isReady ? 1 : 0)
        set(DaemonFamilies.drops, to: line.drops)
        set(DaemonFamilies.dropsAway, to: line.away.count)
        set(DaemonFamilies.folders, to: watch.folders)
        set(DaemonFamilies.foldersPolled, to: watch.foldersDegraded)
        set(DaemonFamilies.foldersUnreadable, to: watch.foldersUnreadable)
        set(DaemonFamilies.ignoredFiles, to: watch.ignoredFiles)
        DaemonFamilies.lastScan.gauge(in: factory).set(watch.lastScanAt)
        scans.follow(Double(watch.scans))
        overflows.follow(Double(watch.overflows))
    }

    /// Copies the number of problems.
    func take(_ report: AttentionReport) {
        for kind in AttentionReport.Item.Kind.allCases {
            set(DaemonFamilies.attention, kind.rawValue, to: report.count(kind))
        }
    }

    /// Copies the obstacles.
    func take(_ obstacles: Obstacles) {
        for kind in Obstacles.Kind.allCases {
            set(DaemonFamilies.obstacle, kind.rawValue, to: obstacles.has(kind) ? 1 : 0)
        }
    }

    /// Sets the gauges of free space and settings.
    func look(_ configuration: Configuration) {
        set(DaemonFamilies.lanes, to: configuration.workerCount)
        set(DaemonFamilies.reserve, to: configuration.publish.freeSpaceReserveBytes)
        for (name, folder) in [("out", configuration.out), ("state", configuration.state)] {
            // A folder that cannot be queried keeps its last value; its error is reported on the next write.
            guard let bytes = try? FreeSpace.bytes(at: folder) else { continue }
            DaemonFamilies.free.gauge(name, in: factory).set(bytes)
        }
        let database = "\(configuration.state)/\(LibraryStore.fileName)"
        let bytes = ["", "-wal"].map { (try? FileStatus(database + $0).size) ?? 0 }
        DaemonFamilies.database.gauge(in: factory).set(bytes.reduce(0, +))
    }

    private func set(_ family: MetricFamily, to value: Int) {
        family.gauge(in: factory).set(value)
    }

    private func set(_ family: MetricFamily, _ label: String, to value: Int) {
        family.gauge(label, in: factory).set(value)
    }
}
