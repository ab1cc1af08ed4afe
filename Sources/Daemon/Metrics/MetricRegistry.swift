public import CoreMetrics
import Synchronization

/// Keeps all metrics of a program, and writes them in the format of Prometheus.
///
/// Undeclared metrics do nothing. Nothing here depends on `MetricsSystem`, so one process may have several registries.
public final class MetricRegistry: Sendable {
    /// How many combinations of labels a family may have; further ones are counted together, under `other`.
    public static let seriesMax = 100

    private let families: [String: MetricFamily]
    private let order: [MetricFamily]
    private let series = Mutex<[String: [[String]: MetricSeries]]>([:])

    /// Creates a registry of these families, written in this order. Those without labels exist from the start: a
    /// counter that appears with its first event hides this event from rates.
    public init(_ families: [MetricFamily]) {
        self.families = Dictionary(uniqueKeysWithValues: families.map { ($0.name, $0) })
        order = families
        for family in families where family.labels.isEmpty { _ = find(family, []) }
    }

    /// All metrics in Prometheus' text format, version 0.0.4, without timestamps.
    public var text: String {
        let present = series.withLock { $0 }
        var text = MetricText()
        for family in order {
            let members = present[family.name, default: [:]].values
                .sorted { $0.values.lexicographicallyPrecedes($1.values) }
            text.add(family, members.map { ($0.values, $0.reading) })
        }
        return text.text
    }

    /// The series of a family, created at the first request.
    private func find(_ family: MetricFamily, _ values: [String]) -> MetricSeries {
        series.withLock { series in
            var values = values
            let known = series[family.name, default: [:]]
            if let found = known[values] { return found }
            if known.count >= Self.seriesMax {
                values = values.map { _ in "other" }
                if let found = known[values] { return found }
            }
            let made = MetricSeries(family, values)
            series[family.name, default: [:]][values] = made
            return made
        }
    }

    /// The series that swift-metrics requests; `nil` unless it was declared with this type.
    private func find(
        _ name: String, _ dimensions: [(String, String)], _ isRight: (MetricFamily.Kind) -> Bool
    ) -> MetricSeries? {
        guard let family = families[name], isRight(family.kind),
            dimensions.map(\.0) == family.labels
        else { return nil }
        return find(family, dimensions.map(\.1))
    }

    private func remove(_ handler: AnyObject) {
        guard let gone = handler as? MetricSeries else { return }
        series.withLock { series in
            guard series[gone.family.name]?[gone.values] === gone else { return }
            series[gone.family.name]?[gone.values] = nil
        }
    }
}

extension MetricRegistry: MetricsFactory {
    /// The counter of a declared family.
    public func makeCounter(
        label: String, dimensions: [(String, String)]
    ) -> any CounterHandler {
        find(label, dimensions) { $0 == .counter } ?? NOOPMetricsHandler.instance
    }

    /// The counter of a declared family.
    public func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        find(label, dimensions) { $0 == .counter } ?? NOOPMetricsHandler.instance
    }

    /// The gauge of a declared family.
    public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        find(label, dimensions) { $0 == .gauge } ?? NOOPMetricsHandler.instance
    }

    /// The histogram of a declared family.
    public func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler {
        find(label, dimensions, Self.isHistogram) ?? NOOPMetricsHandler.instance
    }

    /// The histogram of a declared family, in seconds.
    public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        find(label, dimensions, Self.isHistogram) ?? NOOPMetricsHandler.instance
    }

    private static func isHistogram(_ kind: MetricFamily.Kind) -> Bool {
        if case .histogram = kind { true } else { false }
    }

    /// Forgets a counter.
    public func destroyCounter(_ handler: any CounterHandler) { remove(handler) }

    /// Forgets a counter.
    public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {
        remove(handler)
    }

    /// Forgets a gauge.
    public func destroyMeter(_ handler: any MeterHandler) { remove(handler) }

    /// Forgets a histogram.
    public func destroyRecorder(_ handler: any RecorderHandler) { remove(handler) }

    /// Forgets a histogram.
    public func destroyTimer(_ handler: any TimerHandler) { remove(handler) }
}
