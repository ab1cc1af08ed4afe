import CoreMetrics
import Glibc
import StickerConfiguration
import StickerMetrics
import StickerStore
import StickerSystem
import StickerValues

/// Writes `run/metrics.prom` for `stickerd-web` and for the textfile collector of Prometheus' node_exporter: always
/// complete, and without timestamps.
struct MetricsFile {
    private static let interval = Duration.seconds(5)

    /// The current state.
    var gauges: StateMetrics

    private let registry: MetricRegistry
    private let process: ProcessMetrics
    private let settings: Settings
    private let path: String
    private var dueAt = ContinuousClock.now

    /// Creates a file of everything in `registry`.
    init(_ registry: MetricRegistry, settings: Settings) {
        (self.registry, self.settings) = (registry, settings)
        path = "\(settings.current.run)/metrics.prom"
        process = ProcessMetrics(
            DaemonFamilies.prefix, version: Stickerd.version, in: registry)
        gauges = StateMetrics(in: registry)
    }

    /// Writes the file, unless it was written recently.
    ///
    /// - Throws: `FileError`; the file stays as it was.
    mutating func writeIfDue(_ now: ContinuousClock.Instant) throws {
        guard now >= dueAt else { return }
        dueAt = now + Self.interval
        try write()
    }

    /// Writes the file.
    ///
    /// - Throws: `FileError`; the file stays as it was.
    func write() throws {
        process.refresh()
        gauges.look(settings.current)
        DaemonFamilies.written.gauge(in: registry).set(time(nil))
        try AtomicFile.replaceFleeting(path, with: Array(registry.text.utf8))
    }
}
