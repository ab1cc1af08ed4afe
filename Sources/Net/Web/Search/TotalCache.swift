import Synchronization

/// The numbers of search results, while the index stays the same: a client that turns pages repeats its query, and
/// counting takes longer than finding a page.
final class TotalCache: Sendable {
    private static let questionsMax = 10_000

    private let known = Mutex((state: Int64(0), totals: [String: Int]()))

    /// The number of results of a query.
    ///
    /// - Parameters:
    ///   - query: the query.
    ///   - state: identifies the state of the index; earlier ones are forgotten.
    ///   - count: counts.
    /// - Returns: the number.
    /// - Throws: the errors of `count`.
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
