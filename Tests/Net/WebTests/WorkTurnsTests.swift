import Synchronization
import Testing

@testable import StickerHTTP

/// Work that holds a thread.
struct WorkTurnsTests {
    private final class Order: Sendable {
        private let begun = Mutex<[String]>([])

        var names: [String] { begun.withLock { $0 } }

        func ask(_ turns: WorkTurns, _ names: String...) {
            for name in names {
                turns.enter(String(name.prefix(1))) { self.begun.withLock { $0.append(name) } }
            }
        }
    }

    @Test func clientsTakeTurns() {
        let (turns, order) = (WorkTurns(places: 1), Order())
        order.ask(turns, "a1", "a2", "a3", "b1", "b2")
        #expect(order.names == ["a1"])
        for client in ["a", "a", "b", "a", "b"] { turns.leave(client) }
        #expect(order.names == ["a1", "a2", "b1", "a3", "b2"])
        order.ask(turns, "c1", "c2")
        #expect(order.names.last == "c1")
    }

    @Test func nobodyHasAllThreads() {
        let (turns, order) = (WorkTurns(places: 3), Order())
        order.ask(turns, "a1", "a2", "a3", "a4", "b1", "b2")
        #expect(order.names == ["a1", "a2", "b1"])
        turns.leave("b")
        turns.leave("a")
        #expect(order.names.suffix(2) == ["b2", "a3"])
        turns.leave("b")
        #expect(order.names.count == 5)
        turns.leave("a")
        #expect(order.names.last == "a4")
    }

    @Test func turnEndsWhateverComesOfIt() async throws {
        struct Failure: Error {}
        let turns = WorkTurns(places: 1)
        await #expect(throws: Failure.self) { try await turns.run(for: "a") { throw Failure() } }
        await #expect(throws: CancellationError.self) {
            try await turns.run(for: "a", while: { false }) { Issue.record("nobody waits for it") }
        }
        #expect(try await turns.run(for: "a") { 7 } == 7)
    }
}
