package import StickerModel
import Synchronization

/// In which order the stickers of several upstreams stand in one list: as they arrived, and as they were shown.
///
/// It says whose come next, not which ones they are: those are the upstream's own, in its order.
package struct JoinedOrder: Hashable, Sendable {
    /// Some stickers of one upstream that follow one another.
    package struct Part: Hashable, Sendable {
        /// Whose they are.
        package var upstream: CategoryID
        /// How many of the same upstream stand before them.
        package var offset: Int
        /// How many there are.
        package var count: Int

        package init(upstream: CategoryID, offset: Int, count: Int) {
            (self.upstream, self.offset, self.count) = (upstream, offset, count)
        }
    }

    private var parts: [Part] = []

    package init() {}

    /// How many there are.
    package var count: Int { parts.reduce(0) { $0 + $1.count } }

    /// How many there are of one upstream.
    package func count(of upstream: CategoryID) -> Int {
        parts.reduce(0) { $0 + ($1.upstream == upstream ? $1.count : 0) }
    }

    /// Those at a place, as far as they are of one upstream; `nil` behind the last one.
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

    /// Puts further ones of an upstream behind all that are there, unless somebody else has.
    package mutating func append(_ part: Part) {
        guard part.count > 0, part.offset == count(of: part.upstream) else { return }
        if let last = parts.last, last.upstream == part.upstream {
            parts[parts.count - 1].count += part.count
        } else {
            parts.append(part)
        }
    }

    /// Leaves out those of an upstream behind its first `count`: it has them no more.
    package mutating func shorten(_ upstream: CategoryID, to count: Int) {
        parts = parts.compactMap { part in
            guard part.upstream == upstream else { return part }
            var rest = part
            rest.count = min(part.count, count - part.offset)
            return rest.count > 0 ? rest : nil
        }
    }
}

/// The orders of the lists that people are reading, as many as there is room for.
package final class JoinedOrders: Sendable {
    private let countMax: Int
    private let state = Mutex(State())

    private struct State {
        var orders: [UpstreamQuestion: Kept] = [:]
        var turn = 0
    }

    private struct Kept {
        var order = JoinedOrder()
        let startedAt: ContinuousClock.Instant
        var turn = 0
    }

    package init(countMax: Int = 300) { self.countMax = countMax }

    /// The order of the list that a question leads to. One that is old ends when somebody begins to read.
    package func order(
        of question: UpstreamQuestion, at place: Int, _ now: ContinuousClock.Instant = .now
    ) -> JoinedOrder {
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

    /// Changes the order that is there now.
    package func change(
        _ question: UpstreamQuestion, _ change: (inout JoinedOrder) -> Void
    ) {
        state.withLock { state in
            guard var kept = state.orders.removeValue(forKey: question) else { return }
            change(&kept.order)
            state.orders[question] = kept
        }
    }
}
