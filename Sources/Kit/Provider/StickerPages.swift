extension StickerClient {
    /// Every sticker, or every search result, fetched page by page as it is read.
    ///
    /// A sticker that moves to a later page meanwhile is returned once. One that is published meanwhile, or moves to an
    /// earlier page, may be missed: start again for new stickers.
    ///
    /// - Parameters:
    ///   - query: the search text; `nil` for all stickers.
    ///   - pageSize: how many are requested at a time.
    /// - Returns: the stickers in order.
    public func stickers(
        matching query: String? = nil, pageSize: Int = limitMax
    ) -> StickerPages {
        StickerPages(client: self, query: query, pageSize: pageSize)
    }
}

/// The stickers found by a ``StickerClient``, over all pages.
public struct StickerPages: AsyncSequence, Sendable {
    /// One sticker.
    public typealias Element = Sticker

    /// Requests a page when the previous one has been read.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let pages: StickerPages
        private var waiting: ArraySlice<Sticker> = []
        private var offset = 0
        private var hasMore = true
        private var given: Set<String> = []

        fileprivate init(_ pages: StickerPages) { self.pages = pages }

        /// The next sticker; `nil` after the last one.
        ///
        /// - Throws: ``StickerError``.
        public mutating func next() async throws -> Sticker? {
            while true {
                while let sticker = waiting.popFirst() {
                    if given.insert(sticker.identifier).inserted { return sticker }
                }
                guard hasMore else { return nil }
                try await turn()
            }
        }

        private mutating func turn() async throws(StickerError) {
            let page = try await pages.page(at: offset)
            waiting = page.stickers[...]
            offset += page.stickers.count
            // An empty page would be requested again and again.
            hasMore = page.hasMore && !page.stickers.isEmpty
        }
    }

    fileprivate let client: StickerClient
    fileprivate let query: String?
    fileprivate let pageSize: Int

    /// Begins with the first page.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

    private func page(at offset: Int) async throws(StickerError) -> StickerProviderResult {
        guard let query else { return try await client.trending(offset: offset, limit: pageSize) }
        return try await client.search(query: query, offset: offset, limit: pageSize)
    }
}
