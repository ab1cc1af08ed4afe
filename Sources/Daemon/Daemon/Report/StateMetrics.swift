import CoreMetrics
import StickerMetrics
import StickerModel
import StickerReports
import StickerStore
import StickerSystem
import StickerWatch

/// Shows how things are: gauges of what others have counted, and nothing that is counted for it alone.
struct StateMetrics {
    private let factory: any MetricsFactory
    private var scans: TotalFollower
    private var overflows: TotalFollower
    /// Reasons of refusals that were shown: a gauge stays until it is set to 0.
    private var reasons: Set<String> = []

    init(in factory: any MetricsFactory) {
        self.factory = factory
        scans = TotalFollower(DaemonFamilies.scans.sum(in: factory))
        overflows = TotalFollower(DaemonFamilies.overflows.sum(in: factory))
    }

    /// Takes over the numbers of the store.
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

    /// Takes over the figures of the watcher.
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

    /// Takes over what needs attention.
    func take(_ report: AttentionReport) {
        for kind in AttentionReport.Item.Kind.allCases {
            set(DaemonFamilies.attention, kind.rawValue, to: report.count(kind))
        }
    }

    /// Takes over what is in the way.
    func take(_ obstacles: Obstacles) {
        for kind in Obstacles.Kind.allCases {
            set(DaemonFamilies.obstacle, kind.rawValue, to: obstacles.has(kind) ? 1 : 0)
        }
    }

    /// Looks at space and settings.
    func look(_ configuration: Configuration) {
        set(DaemonFamilies.lanes, to: configuration.workerCount)
        set(DaemonFamilies.reserve, to: configuration.publish.freeSpaceReserveBytes)
        for (name, folder) in [("out", configuration.out), ("state", configuration.state)] {
            // A folder that cannot be asked keeps its number, and says its trouble when it is written to.
            guard let bytes = try? FreeSpace.bytes(at: folder) else { continue }
            DaemonFamilies.free.gauge(name, in: factory).set(bytes)
        }
        let database = "\(configuration.state)/\(JobStore.fileName)"
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
