/// How much near-lossless coding rounds: residuals of green and alpha to multiples of one step, those of red and blue
/// to multiples of the other. Both are powers of two, 1 for none.
public struct ResidualSteps: Sendable {
    /// The step of green, which the eye sees most of, and of soft alpha.
    public let green: Int
    /// The step of red and of blue.
    public let others: Int

    /// Creates steps of 1, 2, 4, 8 or 16.
    public init(green: Int, others: Int) {
        precondition([green, others].allSatisfy { $0 > 0 && $0 & ($0 - 1) == 0 && $0 <= 16 })
        (self.green, self.others) = (green, others)
    }
}
