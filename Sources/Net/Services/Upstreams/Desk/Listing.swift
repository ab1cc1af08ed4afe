import StickerModel

/// What an upstream has answered to a question: its stickers as far as they were asked for, in its order, each once.
///
/// It grows page by page and is shown as it grew: whoever turns its pages sees neither gaps nor anything twice, although
/// the upstream may have another order by then.
struct Listing: Sendable {
    /// More are not asked for.
    static let stickersMax = 1000
    /// How long it is shown from the beginning before it is asked for again.
    static let freshFor = Duration.seconds(300)
    /// How long its further pages are asked for; behind that, it is asked for from the beginning.
    static let turnedFor = Duration.seconds(3600)

    private(set) var stickers: [ForeignSticker] = []
    /// Where the upstream has more; `nil` if it has none.
    private(set) var next: Int? = 0
    /// When it was asked for.
    let askedAt: ContinuousClock.Instant
    /// About what it takes in memory.
    private(set) var bytes = 200
    private var known: Set<String> = []

    init(askedAt: ContinuousClock.Instant) { self.askedAt = askedAt }

    /// Takes over a further page.
    ///
    /// - Returns: how many of its stickers were there already.
    mutating func take(_ page: UpstreamPage) -> Int {
        let fresh = page.stickers.filter { known.insert($0.identifier).inserted }
            .prefix(Self.stickersMax - stickers.count)
        stickers += fresh
        bytes += fresh.reduce(0) { $0 + $1.bytes }
        // Whoever sends the same again whatever the offset has no more.
        let isRepeated = fresh.isEmpty && !page.stickers.isEmpty
        next = isRepeated || stickers.count >= Self.stickersMax ? nil : page.next
        return page.stickers.count - fresh.count
    }

    /// Those that may be seen by whom `ceiling` is for. Who rates nothing wants everything to be seen.
    func visible(upTo ceiling: Rating) -> [ForeignSticker] {
        ceiling == .restricted
            ? stickers : stickers.filter { ($0.rating ?? .general).isWithin(ceiling) }
    }
}
