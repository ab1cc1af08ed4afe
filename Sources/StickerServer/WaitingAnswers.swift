import NIOCore
import StickerHTTP
import Synchronization

/// The memory of answers while their clients take them. If that is as much as may be, a client that takes nothing
/// loses its answer for the next one.
final class WaitingAnswers: Sendable {
    /// Bytes in all.
    private static let bytesMax = 64 << 20
    /// Smaller answers are bounded by the number of connections.
    private static let smallBytesMax = 16 << 10
    /// How long a client may take for a piece while others wait for the memory.
    private static let pieceTime = Duration.seconds(1)
    /// How long an answer waits for memory.
    private static let waitMax = Duration.seconds(5)
    private static let lookPause = Duration.milliseconds(50)

    private struct Held {
        var bytes: Int
        var movedAt: ContinuousClock.Instant
        let close: @Sendable () -> Void
    }

    private struct State {
        var held: [Int: Held] = [:]
        var bytes = 0
        var next = 0
    }

    /// The place of an answer, as long as it is referred to.
    final class Place: Sendable {
        private let answers: WaitingAnswers
        private let number: Int

        fileprivate init(_ answers: WaitingAnswers, _ number: Int) {
            (self.answers, self.number) = (answers, number)
        }

        /// Notes that the client has taken a piece.
        func move() { answers.move(number) }

        deinit { answers.leave(number) }
    }

    private let note: @Sendable (ServerEvent) -> Void
    private let memory = MemoryReturn(leastPeak: 8 << 20)
    private let state = Mutex(State())

    /// - Parameter note: learns of each change.
    init(note: @escaping @Sendable (ServerEvent) -> Void) { self.note = note }

    /// Waits for a place for an answer.
    ///
    /// - Parameters:
    ///   - answer: what is sent.
    ///   - close: ends the connection of the client.
    /// - Returns: the place; `nil` if the answer needs none.
    /// - Throws: `WebError` if there is none in time, `CancellationError`.
    func place(
        for answer: Answer, close: @escaping @Sendable () -> Void
    ) async throws -> Place? {
        let bytes = Self.bytes(of: answer)
        guard bytes > Self.smallBytesMax else { return nil }
        let end = ContinuousClock.now + Self.waitMax
        while true {
            if let place = enter(bytes, close) { return place }
            if endSlowest() { continue }
            guard ContinuousClock.now < end else { break }
            try await Task.sleep(for: Self.lookPause)
        }
        throw WebError(
            status: 503, message: "too many clients take large answers",
            remedy: "try again in a few seconds", headers: [("Retry-After", "5")])
    }

    /// A file is read piece by piece: two wait, and one is there for them.
    private static func bytes(of answer: Answer) -> Int {
        switch answer.body {
        case .bytes(let bytes): bytes.readableBytes
        case .file(_, let range): min(range.count, 3 * BoundedChannel.pieceBytes)
        case .changes: 0
        }
    }

    private func enter(_ bytes: Int, _ close: @escaping @Sendable () -> Void) -> Place? {
        let entered = state.withLock { state -> (number: Int, bytes: Int)? in
            guard state.bytes + bytes <= Self.bytesMax || state.held.isEmpty else { return nil }
            state.next += 1
            state.bytes += bytes
            state.held[state.next] = Held(bytes: bytes, movedAt: .now, close: close)
            return (state.next, state.bytes)
        }
        guard let entered else { return nil }
        tell(entered.bytes)
        return Place(self, entered.number)
    }

    private func move(_ number: Int) { state.withLock { $0.held[number]?.movedAt = .now } }

    private func leave(_ number: Int) {
        let bytes = state.withLock { state in
            state.bytes -= state.held.removeValue(forKey: number)?.bytes ?? 0
            return state.bytes
        }
        tell(bytes)
    }

    private func tell(_ bytes: Int) {
        note(.waiting(bytes))
        memory.level(bytes)
    }

    /// Ends the connections of all that have taken nothing for a while.
    ///
    /// - Returns: whether there were any.
    private func endSlowest() -> Bool {
        let limit = ContinuousClock.now - Self.pieceTime
        let slow = state.withLock { state in
            let slow = state.held.values.filter { $0.movedAt < limit }
            // Each is ended once.
            for (number, held) in state.held where held.movedAt < limit {
                state.held[number]?.movedAt = .now
            }
            return slow
        }
        for held in slow {
            held.close()
            note(.cut(.slow))
        }
        return !slow.isEmpty
    }
}
