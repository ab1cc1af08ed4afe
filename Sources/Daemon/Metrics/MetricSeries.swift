import CoreMetrics
import Synchronization

/// One number or one histogram of a family, which the handlers of swift-metrics update from any thread.
final class MetricSeries: Sendable {
    /// A measured value.
    struct Reading: Hashable, Sendable {
        /// The number; of a histogram, the sum of the observations.
        var number = 0.0
        /// Observations up to each bound and above the previous one; the last count is of those above all bounds.
        var counts: [Int] = []
    }

    let family: MetricFamily
    /// The values of the labels.
    let values: [String]
    private let bounds: [Double]
    private let state: Mutex<Reading>

    init(_ family: MetricFamily, _ values: [String]) {
        (self.family, self.values) = (family, values)
        var reading = Reading()
        if case .histogram(let bounds) = family.kind {
            self.bounds = bounds
            reading.counts = Array(repeating: 0, count: bounds.count + 1)
        } else {
            bounds = []
        }
        state = Mutex(reading)
    }

    /// The number and the counts at one moment.
    var reading: Reading { state.withLock { $0 } }

    private func add(_ amount: Double) { state.withLock { $0.number += amount } }

    private func observe(_ value: Double) {
        // NaN or infinity would spoil the sum forever.
        guard value.isFinite else { return }
        let place = bounds.firstIndex { value <= $0 } ?? bounds.count
        state.withLock { reading in
            reading.number += value
            reading.counts[place] += 1
        }
    }
}

extension MetricSeries: CounterHandler, FloatingPointCounterHandler, MeterHandler {
    func increment(by amount: Int64) { increment(by: Double(amount)) }

    func increment(by amount: Double) {
        guard amount.isFinite else { return }
        // A counter that falls would look like a restart.
        guard family.kind != .counter || amount >= 0 else { return }
        add(amount)
    }

    func decrement(by amount: Double) { increment(by: -amount) }

    func reset() { state.withLock { $0.number = 0 } }

    func set(_ value: Int64) { set(Double(value)) }

    func set(_ value: Double) { state.withLock { $0.number = value } }
}

extension MetricSeries: RecorderHandler, TimerHandler {
    func record(_ value: Int64) { observe(Double(value)) }

    func record(_ value: Double) { observe(value) }

    func recordNanoseconds(_ duration: Int64) { observe(Double(duration) / 1e9) }
}
