package import StickerValues
import Synchronization

/// The order of the stickers of several upstreams in one list: as they arrived, and as they were shown.
///
/// It holds only which upstream comes next; the stickers themselves keep their upstream's order.
package struct UpstreamOrder: Hashable, Sendable {
    /// Consecutive stickers of one upstream.
    package struct Part: Hashable, Sendable {
        package var upstream: CategoryID
        /// How many stickers of the same upstream precede them.
        package var offset: Int
        /// The number of stickers.
        package var count: Int

        package init(upstream: CategoryID, offset: Int, count: Int) {
            (self.upstream, self.offset, self.count) = (upstream, offset, count)
        }
    }

    private var parts: [Part] = []

    package init() {}

    /// The number of stickers.
    package var count: Int { parts.reduce(0) { $0 + $1.count } }

    /// The number of stickers of one upstream.
    package func count(of upstream: CategoryID) -> Int {
        parts.reduce(0) { $0 + ($1.upstream == upstream ? $1.count : 0) }
    }

    /// The stickers from a place on that are of one upstream; `nil` after the last one.
    package func part(at place: Int) -> Part? {
        var start = 0
        for part in parts {
            let passed = place - start
            if passed < part.count {
                return Part(
                    upstream: part.upstream, offset: part.offset + passed,
                    count: part.count - passed)
            }
            start += part.count
        }
        return nil
    }

    /// Appends further stickers of an upstream, unless another request has.
    package mutating func append(_ part: Part) {
        guard part.count > 0, part.offset == count(of: part.upstream) else { return }
        if let last = parts.last, last.upstream == part.upstream {
            parts[parts.count - 1].count += part.count
        } else {
            parts.append(part)
        }
    }

    /// Removes an upstream's stickers after its first `count`: it no longer has them.
    package mutating func shorten(_ upstream: CategoryID, to count: Int) {
        parts = parts.compactMap { part in
            guard part.upstream == upstream else { return part }
            var rest = part
            rest.count = min(part.count, count - part.offset)
            return rest.count > 0 ? rest : nil
        }
    }
}

/// The orders of lists in use, within a bound.
package final class UpstreamOrders: Sendable {
    private let countMax: Int
    private let state = Mutex(State())

    private struct State {
        var orders: [UpstreamQuestion: Kept] = [:]
        var turn = 0
    }

    private struct Kept {
        var order = UpstreamOrder()
        let startedAt: ContinuousClock.Instant
        var turn = 0
    }

    package init(countMax: Int = 300) { self.countMax = countMax }

    /// The order of a question's list. An old one is replaced when a client starts from the beginning.
    package func order(
        of question: UpstreamQuestion, at place: Int, _ now: ContinuousClock.Instant = .now
    ) -> UpstreamOrder {
        state.withLock { state in
            var kept = state.orders[question] ?? Kept(startedAt: now)
            if place == 0, kept.startedAt.duration(to: now) >= Listing.turnedFor {
                kept = Kept(startedAt: now)
            }
            state.turn += 1
            kept.turn = state.turn
            state.orders[question] = kept
            if state.orders.count > countMax,
                let oldest = state.orders.min(by: { $0.value.turn < $1.value.turn })?.key
            {
                state.orders[oldest] = nil
            }
            return kept.order
        }
    }

    /// Changes the current order.
    package func change(
        _ question: UpstreamQuestion, _ change: (inout UpstreamOrder) -> Void
    ) {
        state.withLock { state in
            guard var kept = state.orders.removeValue(forKey: question) else { return }
            change(&kept.order)
            state.orders[question] = kept
        }
    }
}
