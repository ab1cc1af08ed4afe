import NIOCore
import StickerHTTP
import Synchronization

/// The memory of answers while their clients read them, and of those that wait for memory, in shares of clients. A
/// client that does not read loses its answer to the next one, its own, or any client's once all is full; after a
/// second, so does the one with the most.
final class WaitingAnswers: Sendable {
    /// The number of connections limits smaller answers.
    private static let smallBytesMax = 16 << 10
    private static let lookPause = Duration.milliseconds(50)

    /// The time limits while an answer waits for memory.
    struct Times: Sendable {
        /// For a client to read a piece.
        var piece = Duration.seconds(1)
        /// Until the client with the most is cut off.
        var most = Duration.seconds(1)
        /// In total.
        var wait = Duration.seconds(5)
    }

    private struct Held {
        let bytes: Int
        let caller: Caller
        var movedAt: ContinuousClock.Instant
        let close: @Sendable () -> Void
    }

    private struct State {
        var held: [Int: Held] = [:]
        /// The answers held, and those waiting for a place.
        var (sent, waiting) = (AnswerShares(), AnswerShares())
        var next = 0

        var bytes: Int { sent.bytes + waiting.bytes }

        /// Removes answers from the count, and returns those that were counted.
        mutating func take(_ numbers: some Sequence<Int>) -> [Held] {
            numbers.compactMap { number in
                guard let held = held.removeValue(forKey: number) else { return nil }
                sent.remove(held.bytes, of: held.caller)
                return held
            }
        }
    }

    /// The place of an answer, for as long as it is referenced.
    final class Place: Sendable {
        private let answers: WaitingAnswers
        private let number: Int

        fileprivate init(_ answers: WaitingAnswers, _ number: Int) {
            (self.answers, self.number) = (answers, number)
        }

        /// Notes that the client has read a piece.
        func move() { answers.move(number) }

        deinit { answers.leave(number) }
    }

    private let times: Times
    private let note: @Sendable (ServerEvent) -> Void
    private let memory = MemoryReturn(leastPeak: 8 << 20)
    private let state = Mutex(State())

    /// - Parameters:
    ///   - times: the time limits of clients.
    ///   - note: receives each change.
    init(_ times: Times = Times(), note: @escaping @Sendable (ServerEvent) -> Void) {
        (self.times, self.note) = (times, note)
    }

    /// Waits for a place for an answer.
    ///
    /// - Parameters:
    ///   - answer: the answer.
    ///   - caller: its client.
    ///   - close: closes the client's connection.
    /// - Returns: the place; `nil` if the answer needs none.
    /// - Throws: `WebError` if there is none in time, or too many wait; `CancellationError`.
    func place(
        for answer: Answer, of caller: Caller, close: @escaping @Sendable () -> Void
    ) async throws -> Place? {
        let bytes = Self.bytes(of: answer)
        guard bytes > Self.smallBytesMax else { return nil }
        if let place = enter(bytes, caller, close) { return place }
        if !lineUp(bytes, caller) {
            // As many as possible wait: silent clients make room at once.
            guard makeRoom(for: bytes, caller, since: .now - times.most),
                let place = enter(bytes, caller, close)
            else { throw Self.tooMany }
            return place
        }
        defer { change { $0.waiting.remove(bytes, of: caller) } }
        let start = ContinuousClock.now
        while start.duration(to: .now) < times.wait {
            if let place = enter(bytes, caller, close) { return place }
            if makeRoom(for: bytes, caller, since: start) { continue }
            try await Task.sleep(for: Self.lookPause)
        }
        throw Self.tooMany
    }

    private static var tooMany: WebError {
        WebError(
            status: 503, message: "too many clients take large answers",
            remedy: "try again in a few seconds", headers: [("Retry-After", "5")])
    }

    /// A file is read piece by piece: two wait, and one is being read.
    private static func bytes(of answer: Answer) -> Int {
        switch answer.body {
        case .bytes(let bytes): bytes.readableBytes
        case .file(_, let range): min(range.count, 3 * BoundedChannel.pieceBytes)
        case .changes: 0
        }
    }

    // MARK: Places

    private func enter(
        _ bytes: Int, _ caller: Caller, _ close: @escaping @Sendable () -> Void
    ) -> Place? {
        let number = change { state -> Int? in
            guard state.sent.hasRoom(for: bytes, of: caller) else { return nil }
            state.next += 1
            state.sent.add(bytes, of: caller)
            state.held[state.next] = Held(
                bytes: bytes, caller: caller, movedAt: .now, close: close)
            return state.next
        }
        return number.map { Place(self, $0) }
    }

    private func lineUp(_ bytes: Int, _ caller: Caller) -> Bool {
        change { state in
            guard state.waiting.hasRoom(for: bytes, of: caller) else { return false }
            state.waiting.add(bytes, of: caller)
            return true
        }
    }

    private func move(_ number: Int) { state.withLock { $0.held[number]?.movedAt = .now } }

    private func leave(_ number: Int) { _ = change { $0.take([number]) } }

    /// Changes the state, and reports the bytes if they changed; under the lock, so that the last report is right.
    private func change<Result>(_ body: (inout State) -> sending Result) -> sending Result {
        state.withLock { state in
            let before = state.bytes
            let result = body(&state)
            if state.bytes != before {
                note(.waiting(state.bytes))
                memory.level(state.bytes)
            }
            return result
        }
    }

    // MARK: Making room

    /// Closes the connections of clients that have not read for a while: of the client itself if its share is used up,
    /// else of all. If that is not enough for a while, the client with the most loses its longest idle answer.
    ///
    /// - Returns: whether there were any.
    private func makeRoom(
        for bytes: Int, _ caller: Caller, since start: ContinuousClock.Instant
    ) -> Bool {
        let now = ContinuousClock.now
        let limit = now - times.piece
        let ended = change { state in
            let isOwn = !state.sent.isWithinShare(bytes, of: caller)
            let silent = state.held.filter { _, held in
                held.movedAt < limit && (!isOwn || held.caller.name == caller.name)
            }
            guard silent.isEmpty, !isOwn, now - start >= times.most else {
                return state.take(silent.keys)
            }
            let greatest = state.sent.greatest(beside: caller, with: bytes)
            let rested = state.held.filter { $0.value.caller.name == greatest }
                .min { $0.value.movedAt < $1.value.movedAt }
            return state.take([rested?.key].compactMap(\.self))
        }
        for held in ended {
            held.close()
            note(.cut(.slow))
        }
        return !ended.isEmpty
    }
}
