import StickerValues

/// An upstream's answer to a question: its stickers requested so far, in its order, each once.
///
/// It grows page by page and keeps its order: a client that turns pages sees neither gaps nor duplicates, even if the
/// upstream has reordered its list.
struct Listing: Sendable {
    /// The most stickers requested.
    static let stickersMax = 1000
    /// How long its beginning is shown before it is requested again.
    static let freshFor = Duration.seconds(300)
    /// How long its further pages are requested; after that, it is requested from the beginning.
    static let turnedFor = Duration.seconds(3600)

    private(set) var stickers: [UpstreamSticker] = []
    /// The offset at which the upstream has more; `nil` if it has none.
    private(set) var next: Int? = 0
    /// When it was requested.
    let askedAt: ContinuousClock.Instant
    /// Its approximate memory.
    private(set) var bytes = 200
    private var known: Set<String> = []

    init(askedAt: ContinuousClock.Instant) { self.askedAt = askedAt }

    /// Appends a page.
    ///
    /// - Returns: how many of its stickers were already known.
    mutating func take(_ page: UpstreamPage) -> Int {
        let fresh = page.stickers.filter { known.insert($0.identifier).inserted }
            .prefix(Self.stickersMax - stickers.count)
        stickers += fresh
        bytes += fresh.reduce(0) { $0 + $1.bytes }
        // An upstream that repeats the same page whatever the offset has no more.
        let isRepeated = fresh.isEmpty && !page.stickers.isEmpty
        next = isRepeated || stickers.count >= Self.stickersMax ? nil : page.next
        return page.stickers.count - fresh.count
    }

    /// The stickers that may be seen under `ceiling`. Unrated ones are for everybody.
    func visible(upTo ceiling: Rating) -> [UpstreamSticker] {
        ceiling == .restricted
            ? stickers : stickers.filter { ($0.rating ?? .general).isWithin(ceiling) }
    }
}
