import StickerValues
import Testing

@testable import StickerServices

/// In which order those of several upstreams stand in one list.
struct UpstreamOrderTests {
    private typealias Part = UpstreamOrder.Part
    private let one = CategoryID(rawValue: "one")
    private let two = CategoryID(rawValue: "two")

    private func order(_ parts: [Part]) -> UpstreamOrder {
        var order = UpstreamOrder()
        for part in parts { order.append(part) }
        return order
    }

    @Test func partsStandAsTheyArrived() {
        let order = order([
            Part(upstream: one, offset: 0, count: 2), Part(upstream: one, offset: 2, count: 1),
            Part(upstream: two, offset: 0, count: 3), Part(upstream: one, offset: 3, count: 4),
        ])
        #expect(order.count == 10 && order.count(of: one) == 7)
        #expect(order.part(at: 0) == Part(upstream: one, offset: 0, count: 3))
        #expect(order.part(at: 4) == Part(upstream: two, offset: 1, count: 2))
        #expect(order.part(at: 9) == Part(upstream: one, offset: 6, count: 1))
        #expect(order.part(at: 10) == nil && order.part(at: .max) == nil)
    }

    @Test func nothingStandsTwiceAlthoughTwoReadersAsk() {
        var order = order([Part(upstream: one, offset: 0, count: 5)])
        order.append(Part(upstream: one, offset: 0, count: 5))
        order.append(Part(upstream: one, offset: 7, count: 5))
        order.append(Part(upstream: two, offset: 0, count: 0))
        #expect(order == self.order([Part(upstream: one, offset: 0, count: 5)]))
    }

    @Test func whatIsGoneLeavesNoHole() {
        var order = order([
            Part(upstream: one, offset: 0, count: 3), Part(upstream: two, offset: 0, count: 2),
            Part(upstream: one, offset: 3, count: 4),
        ])
        order.shorten(one, to: 2)
        #expect(order.count == 4)
        #expect(order.part(at: 2) == Part(upstream: two, offset: 0, count: 2))
        order.append(Part(upstream: one, offset: 2, count: 1))
        #expect(order.part(at: 4) == Part(upstream: one, offset: 2, count: 1))
        order.shorten(one, to: 0)
        #expect(order.count(of: one) == 0 && order.count == 2)
    }

    @Test func orderLastsWhileSomebodyReads() {
        let (orders, start) = (UpstreamOrders(countMax: 2), ContinuousClock.now)
        func question(_ word: String) -> UpstreamQuestion { UpstreamQuestion(word, upTo: .general) }
        _ = orders.order(of: question("a"), at: 0, start)
        orders.change(question("a")) { $0.append(Part(upstream: one, offset: 0, count: 5)) }
        #expect(orders.order(of: question("a"), at: 0, start + .seconds(3599)).count == 5)
        #expect(orders.order(of: question("a"), at: 3, start + .seconds(9999)).count == 5)
        #expect(orders.order(of: question("a"), at: 0, start + .seconds(3600)).count == 0)

        orders.change(question("a")) { $0.append(Part(upstream: one, offset: 0, count: 5)) }
        for word in ["b", "a", "c"] { _ = orders.order(of: question(word), at: 1, start) }
        #expect(orders.order(of: question("a"), at: 1, start).count == 5)
        orders.change(question("b")) { $0.append(Part(upstream: one, offset: 0, count: 5)) }
        #expect(orders.order(of: question("b"), at: 1, start).count == 0)
    }
}
