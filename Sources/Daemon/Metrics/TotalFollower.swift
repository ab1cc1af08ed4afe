public import CoreMetrics

/// Feeds a counter from a total kept elsewhere. If that restarts at 0, the counter goes on.
public struct TotalFollower: Sendable {
    private let counter: FloatingPointCounter
    private var last = 0.0

    /// Creates a follower that has seen nothing yet.
    public init(_ counter: FloatingPointCounter) { self.counter = counter }

    /// Adds the growth since the last call.
    public mutating func follow(_ total: Double) {
        counter.increment(by: total >= last ? total - last : total)
        last = total
    }
}
