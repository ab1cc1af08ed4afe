/// The kept answers, within a bound; the least recently used go first.
struct ListingCache {
    private let bytesMax: Int
    private let countMax: Int
    private var listings: [UpstreamQuestion: (listing: Listing, turn: Int)] = [:]
    private var turn = 0
    private(set) var bytes = 0

    init(bytesMax: Int = 4 << 20, countMax: Int = 300) {
        (self.bytesMax, self.countMax) = (bytesMax, countMax)
    }

    var count: Int { listings.count }

    /// The known answer, which is then the most recently used.
    mutating func listing(of question: UpstreamQuestion) -> Listing? {
        guard let known = listings[question] else { return nil }
        turn += 1
        listings[question]?.turn = turn
        return known.listing
    }

    /// Stores an answer, replacing an earlier one.
    mutating func keep(_ listing: Listing, of question: UpstreamQuestion) {
        forget(question)
        turn += 1
        listings[question] = (listing, turn)
        bytes += listing.bytes
        while bytes > bytesMax || listings.count > countMax,
            let oldest = listings.min(by: { $0.value.turn < $1.value.turn })?.key
        {
            forget(oldest)
        }
    }

    private mutating func forget(_ question: UpstreamQuestion) {
        bytes -= listings.removeValue(forKey: question)?.listing.bytes ?? 0
    }
}
