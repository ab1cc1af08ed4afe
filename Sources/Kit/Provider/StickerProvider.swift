/// A source of stickers: a server, a folder, the app's own list.
///
/// It has the shape of the sticker providers of photo and video editors, so that one class serves both. Completions may
/// be called on any thread; an app must switch to its main thread to show the result.
public protocol StickerProvider {
    /// Offers stickers before a search.
    ///
    /// - Parameters:
    ///   - offset: how many to skip.
    ///   - limit: how many at most.
    ///   - completion: called once.
    func trending(
        offset: Int, limit: Int,
        completion: @escaping @Sendable (Result<StickerProviderResult, any Error>) -> Void)

    /// Finds stickers.
    ///
    /// - Parameters:
    ///   - query: the search text.
    ///   - offset: how many to skip.
    ///   - limit: how many at most.
    ///   - completion: called once.
    func search(
        query: String, offset: Int, limit: Int,
        completion: @escaping @Sendable (Result<StickerProviderResult, any Error>) -> Void)
}

/// A page of stickers from a provider. Like that of photo and video editors it is a class, which apps can extend with
/// initialisers.
public final class StickerProviderResult: Hashable, Sendable {
    /// The stickers, in display order.
    public let stickers: [Sticker]
    /// Whether further ones follow.
    public let hasMore: Bool

    /// Creates a page.
    ///
    /// - Parameters:
    ///   - stickers: the stickers in order.
    ///   - hasMore: whether further ones follow; providers without pages omit it.
    public init(stickers: [Sticker], hasMore: Bool = false) {
        self.stickers = stickers
        self.hasMore = hasMore
    }

    /// Whether two pages are equal.
    public static func == (one: StickerProviderResult, other: StickerProviderResult) -> Bool {
        one.stickers == other.stickers && one.hasMore == other.hasMore
    }

    /// Hashes the stickers.
    public func hash(into hasher: inout Hasher) { hasher.combine(stickers) }
}
