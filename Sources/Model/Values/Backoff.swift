/// The pause before a retry: longer after each consecutive failure, up to a longest pause that then repeats.
///
/// A pure value; its owner counts the failures and starts over after a success.
///
/// ```
/// let backoff = Backoff(first: .seconds(1), longest: .seconds(64))
/// backoff.delay(afterFailures: 1)  // 1 s, then 2, 4, 8, 16, 32, 64, 64 ...
/// ```
public struct Backoff: Hashable, Sendable {
    /// The pauses in order; the last one repeats.
    private let pauses: [Duration]
    /// The part of a pause that jitter may take away, 0...1.
    private let spread: Double

    /// Creates pauses that grow by `factor`, from `first` to `longest`.
    ///
    /// - Parameters:
    ///   - first: the pause after the first failure, above 0.
    ///   - factor: the ratio of each pause to the one before it, at least 2.
    ///   - longest: the longest pause, at least `first`.
    public init(first: Duration, factor: Int = 2, longest: Duration) {
        precondition(first > .zero && factor > 1 && longest >= first, "pauses must grow")
        var pauses = [first]
        while let last = pauses.last, last < longest { pauses.append(min(last * factor, longest)) }
        self.init(pauses: pauses)
    }

    /// Creates a backoff from pauses listed by an operator.
    ///
    /// - Parameters:
    ///   - pauses: in order, at least one.
    ///   - spread: the part of each pause, 0...1, that jitter may remove, so that simultaneous failures are not retried
    ///     together.
    public init(pauses: [Duration], spread: Double = 0) {
        precondition(!pauses.isEmpty && (0...1).contains(spread), "there must be a pause")
        (self.pauses, self.spread) = (pauses, spread)
    }

    /// The pause after `failures` consecutive failures.
    ///
    /// - Parameters:
    ///   - failures: at least 1.
    ///   - jitter: 0...1, the point in the spread at which the pause ends; 1 removes nothing.
    /// - Returns: the pause; the longest one if there are more failures than pauses.
    public func delay(afterFailures failures: Int, jitter: Double = 1) -> Duration {
        precondition(failures > 0, "nothing has failed")
        return pauses[min(failures, pauses.count) - 1] * (1 - spread + spread * jitter)
    }
}
