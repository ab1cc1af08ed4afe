import NIOCore
import StickerHTTP
import Synchronization
import Testing

@testable import StickerServer

/// Large answers on their way to slow clients.
struct WaitingAnswersTests {
    private let events = Events()

    private final class Events: Sendable {
        let cuts = Mutex(0)
        let bytes = Mutex(0)

        /// Answers that wait as long as a test needs, but for what `change` says.
        func answers(
            _ change: (inout WaitingAnswers.Times) -> Void = { _ in }
        ) -> WaitingAnswers {
            let long = Duration.seconds(600)
            var times = WaitingAnswers.Times(piece: long, most: long, wait: long)
            change(&times)
            return WaitingAnswers(times) { event in
                switch event {
                case .cut(.slow): self.cuts.withLock { $0 += 1 }
                case .waiting(let bytes): self.bytes.withLock { $0 = bytes }
                default: break
                }
            }
        }
    }

    private var cuts: Int { events.cuts.withLock { $0 } }
    private var bytes: Int { events.bytes.withLock { $0 } }

    /// An answer that its client does not take.
    private final class Held: Sendable {
        private let place = Mutex<WaitingAnswers.Place?>(nil)

        var isThere: Bool { place.withLock { $0 != nil } }

        func hold(_ place: WaitingAnswers.Place?) { self.place.withLock { $0 = place } }
    }

    private static func caller(_ address: String) -> Caller {
        WebRequest("GET", "/", client: address).caller
    }

    private func take(
        _ megabytes: Int, of answers: WaitingAnswers, _ address: String
    ) async throws -> Held {
        let held = Held()
        let answer = Answer(200, [], .bytes(ByteBuffer(repeating: 0, count: megabytes << 20)))
        let place = try await answers.place(for: answer, of: Self.caller(address)) {
            [weak held] in held?.hold(nil)
        }
        held.hold(place)
        return held
    }

    @Test func smallAnswerNeedsNoPlace() async throws {
        let caller = Self.caller("192.0.2.1")
        #expect(try await events.answers().place(for: .json(200, []), of: caller) {} == nil)
    }

    @Test func clientMakesRoomForItselfAlone() async throws {
        let answers = events.answers { $0.piece = .milliseconds(200) }
        let other = try await take(5, of: answers, "192.0.2.1")
        var own: [Held] = []
        for client in 1...3 {
            own.append(try await take(5, of: answers, "2001:db8::\(client)"))
        }
        #expect(cuts == 0 && bytes == 20 << 20)
        // The next one of its network waits until one that takes nothing is ended.
        let last = try await take(5, of: answers, "2001:db8::4")
        let left = own.count(where: \.isThere)
        #expect(left < 3 && cuts == 3 - left && bytes == ((2 + left) * 5) << 20)
        #expect(other.isThere && last.isThere && own.count(where: \.isThere) == left)
    }

    @Test func oneAddressKeepsNobodyOut() async throws {
        // As large as everything: another one of the same size has a place beside it.
        let answers = events.answers { $0.wait = .zero }
        let giants = [
            try await take(64, of: answers, "192.0.2.1"),
            try await take(64, of: answers, "192.0.2.2"),
        ]
        await #expect(throws: WebError.self) { try await take(1, of: answers, "192.0.2.1") }
        await #expect(throws: WebError.self) { try await take(1, of: answers, "192.0.2.3") }
        #expect(bytes == 128 << 20 && giants.allSatisfy(\.isThere))
    }

    @Test func whatWaitsIsBoundedByClient() async throws {
        let answers = events.answers()
        let first = try await take(16, of: answers, "192.0.2.1")
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    do {
                        return try await take(4, of: answers, "192.0.2.1").isThere
                    } catch let error as WebError {
                        #expect(error.status == 503)
                        return false
                    }
                }
            }
            // Those beyond the line do not wait.
            for _ in 0..<16 { #expect(try await group.next() == false) }
            #expect(bytes == 32 << 20)
            let other = try await take(16, of: answers, "192.0.2.2")
            #expect(other.isThere && first.isThere && cuts == 0)
            first.hold(nil)
            for try await isThere in group { #expect(isThere) }
        }
        #expect(bytes == 0)
    }

    @Test func clientWithTheMostMakesRoomWhenAllIsFull() async throws {
        let answers = events.answers { $0.most = .zero }
        var held: [Held] = []
        for client in 1...4 {
            for _ in 0..<2 { held.append(try await take(8, of: answers, "192.0.2.\(client)")) }
        }
        #expect(bytes == 64 << 20)
        let last = try await take(5, of: answers, "192.0.2.9")
        #expect(last.isThere && held.count(where: \.isThere) == 7 && cuts == 1)
    }

    @Test func clientIsServedThoughOthersFillTheLineToo() async throws {
        let answers = events.answers { $0.most = .zero }
        var held: [Held] = []
        for client in 1...4 { held.append(try await take(16, of: answers, "192.0.2.\(client)")) }
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for client in 1...4 {
                group.addTask {
                    try await take(16, of: answers, "192.0.2.\(client)").isThere
                }
            }
            while bytes < 128 << 20 { await Task.yield() }
            let fifth = try await take(16, of: answers, "192.0.2.9")
            #expect(fifth.isThere && held.count(where: \.isThere) == 3 && cuts == 1)
            for answer in held { answer.hold(nil) }
            for try await isThere in group { #expect(isThere) }
        }
    }
}
