import Synchronization

/// Counts wrong tokens by client. After some, and until a second has passed for each, every token of that client is
/// checked a second late. A right one always passes: nobody is locked out by the guesses of others.
package final class Guesses: Sendable {
    /// How many wrong tokens are free.
    package static let allowed = 10
    /// The delay of a token after that many.
    package static let delay = Duration.seconds(1)
    /// How many clients are remembered; an attacker with more addresses cannot guess a token of 16 characters, either.
    private static let clientsMax = 1000

    private let left = Mutex<[String: (count: Double, at: ContinuousClock.Instant)]>([:])

    package init() {}

    /// The delay of a client's next token.
    package func delay(of caller: Caller, now: ContinuousClock.Instant = .now) -> Duration {
        left.withLock { Self.count(in: $0, of: caller, now) } < 1 ? Self.delay : .zero
    }

    /// Notes a wrong token.
    ///
    /// - Returns: whether to log it; repetitions are not logged.
    @discardableResult
    package func add(_ caller: Caller, now: ContinuousClock.Instant = .now) -> Bool {
        left.withLock { left in
            let count = Self.count(in: left, of: caller, now)
            if left.count >= Self.clientsMax {
                left = left.filter { now - $0.value.at < .seconds(Self.allowed) }
            }
            if left.count >= Self.clientsMax { left.removeAll() }
            left[caller.name] = (max(0, count - 1), now)
            return count >= 1
        }
    }

    private static func count(
        in left: [String: (count: Double, at: ContinuousClock.Instant)], of caller: Caller,
        _ now: ContinuousClock.Instant
    ) -> Double {
        let most = Double(allowed * caller.share)
        guard let known = left[caller.name] else { return most }
        return min(most, known.count + Double(caller.share) * (known.at.duration(to: now) / delay))
    }
}
