/// Something that offers stickers: a server, a folder, a list of the app's own.
///
/// The shape is that of the sticker providers of photo and video editors, so that one class serves both. Completions may
/// be called on any thread; an app that shows what they bring goes to its main thread first.
public protocol StickerProvider {
    /// Offers stickers before anybody has searched.
    ///
    /// - Parameters:
    ///   - offset: how many to pass over.
    ///   - limit: how many at most.
    ///   - completion: is called once.
    func trending(
        offset: Int, limit: Int,
        completion: @escaping @Sendable (Result<StickerProviderResult, any Error>) -> Void)

    /// Finds stickers.
    ///
    /// - Parameters:
    ///   - query: what somebody typed.
    ///   - offset: how many to pass over.
    ///   - limit: how many at most.
    ///   - completion: is called once.
    func search(
        query: String, offset: Int, limit: Int,
        completion: @escaping @Sendable (Result<StickerProviderResult, any Error>) -> Void)
}

/// What a provider found: one page of stickers. Like that of photo and video editors it is a class that apps extend with
/// initialisers of their own.
public final class StickerProviderResult: Hashable, Sendable {
    /// The stickers, in the order in which they are shown.
    public let stickers: [Sticker]
    /// Whether there are further ones behind these.
    public let hasMore: Bool

    /// Creates a page.
    ///
    /// - Parameters:
    ///   - stickers: the stickers in order.
    ///   - hasMore: whether there are further ones; a provider without pages leaves it out.
    public init(stickers: [Sticker], hasMore: Bool = false) {
        self.stickers = stickers
        self.hasMore = hasMore
    }

    /// Whether two pages hold the same.
    public static func == (one: StickerProviderResult, other: StickerProviderResult) -> Bool {
        one.stickers == other.stickers && one.hasMore == other.hasMore
    }

    /// Feeds the stickers.
    public func hash(into hasher: inout Hasher) { hasher.combine(stickers) }
}
