import Dispatch
import NIOCore
import Synchronization

/// Lets a few requests at a time begin, in turns by client. Thousands that begin at once would each wait for all others
/// at every step, and delay later ones, too.
final class RequestTurnstile: Sendable {
    /// How many are inside.
    fileprivate static let placesMax = 32
    /// How long a request counts as inside: a longer one waits for something other than the processor.
    static let timeMax = TimeAmount.milliseconds(50)
    private static let lookPause = DispatchTimeInterval.milliseconds(20)

    fileprivate struct Waiting {
        let number: Int
        let go: @Sendable (Int) -> Void
    }

    fileprivate struct State {
        var next = 0
        /// When each entered.
        var inside: [Int: NIODeadline] = [:]
        var waiting: [String: CircularBuffer<Waiting>] = [:]
        /// Clients in the order of their turns.
        var turns = CircularBuffer<String>()
        var isLooking = false
    }

    private let queue = DispatchQueue(label: "stickerd.turnstile", qos: .userInitiated)
    private let state = Mutex(State())

    /// Asks to enter.
    ///
    /// - Parameters:
    ///   - party: identifies a client.
    ///   - go: called later with the number for `leave`, if there is no place now.
    /// - Returns: the number for `leave`, if there is a place now.
    func enter(_ party: String, _ go: @escaping @Sendable (Int) -> Void) -> Int? {
        let (number, mustLook) = state.withLock { state -> (Int?, Bool) in
            state.next += 1
            if state.inside.count < Self.placesMax, state.turns.isEmpty {
                state.inside[state.next] = .now()
                return (state.next, false)
            }
            if state.waiting[party] == nil { state.turns.append(party) }
            state.waiting[party, default: []].append(Waiting(number: state.next, go: go))
            defer { state.isLooking = true }
            return (nil, !state.isLooking)
        }
        if mustLook { look() }
        return number
    }

    /// Makes room for the next one.
    func leave(_ number: Int) {
        let next = state.withLock { state in
            state.inside[number] = nil
            return state.admitted()
        }
        for waiting in next { waiting.go(waiting.number) }
    }

    /// While requests wait: forgets those that have been inside for long.
    private func look() {
        queue.asyncAfter(deadline: .now() + Self.lookPause) { [weak self] in
            guard let self else { return }
            let (next, mustLook) = state.withLock { state in
                let limit = NIODeadline.now() - Self.timeMax
                state.inside = state.inside.filter { $0.value > limit }
                let next = state.admitted()
                state.isLooking = !state.turns.isEmpty
                return (next, state.isLooking)
            }
            for waiting in next { waiting.go(waiting.number) }
            if mustLook { look() }
        }
    }
}

extension RequestTurnstile.State {
    /// Admits as many as there are places.
    fileprivate mutating func admitted() -> [RequestTurnstile.Waiting] {
        var admitted: [RequestTurnstile.Waiting] = []
        while inside.count < RequestTurnstile.placesMax, let party = turns.popFirst() {
            guard let first = waiting[party]?.popFirst() else { continue }
            inside[first.number] = .now()
            admitted.append(first)
            if waiting[party]?.isEmpty == false {
                turns.append(party)
            } else {
                waiting[party] = nil
            }
        }
        return admitted
    }
}
