import Synchronization

/// How many stickers were found by questions, as long as the index stays as it is: who turns pages asks the same again, and
/// counting takes longer than finding a page.
final class TotalCache: Sendable {
    private static let questionsMax = 10_000

    private let known = Mutex((state: Int64(0), totals: [String: Int]()))

    /// The number for a question.
    ///
    /// - Parameters:
    ///   - query: the question.
    ///   - state: tells the state of the index from others; those that were before are forgotten.
    ///   - count: counts.
    /// - Returns: the number.
    /// - Throws: what `count` throws.
    func total(of query: String, in state: Int64, _ count: () throws -> Int) throws -> Int {
        let total = known.withLock { $0.state == state ? $0.totals[query] : nil }
        if let total { return total }
        let counted = try count()
        known.withLock { known in
            guard state >= known.state else { return }
            if state > known.state || known.totals.count >= Self.questionsMax {
                known = (state, [:])
            }
            known.totals[query] = counted
        }
        return counted
    }
}
