import StickerModel

/// What is said about stickers: the words by which they are found, and the JSON of answers, made once for each state of a
/// sticker.
struct StickerWording: Sendable {
    /// Where clients find the files.
    let addresses: PublicAddresses

    /// The row of the index.
    func row(
        of sticker: PublishedSticker, in category: PublishedCategory, at place: Int64
    ) -> SearchIndex.Row {
        let words = SearchText.indexed(
            [sticker.title] + (sticker.keywords ?? []) + sticker.emojis
                + [category.title, category.identifier.rawValue])
        let still = sticker.companion?.url ?? sticker.thumbnailURL ?? sticker.imageURL
        return SearchIndex.Row(
            place: place, identifier: sticker.identifier, category: category.identifier,
            words: words,
            bodies: [
                .provider: body(sticker, category, still),
                .providerWebP: body(sticker, category, sticker.imageURL),
            ])
    }

    /// An element of `images` in the answers of a sticker provider: `id`, `url` and `thumbnail` are what its clients read.
    private func body(
        _ sticker: PublishedSticker, _ category: PublishedCategory, _ url: String
    ) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.text("id", sticker.identifier.rawValue)
            json.text("url", addresses.file(url, of: category.identifier))
            json.text(
                "thumbnail", addresses.file(sticker.thumbnailURL ?? url, of: category.identifier))
            json.text("title", sticker.title)
            json.text("category", category.identifier.rawValue)
            json.flag("animated", sticker.animated)
            json.texts("emojis", sticker.emojis)
            if let keywords = sticker.keywords { json.texts("keywords", keywords) }
            if let text = sticker.accessibilityText { json.text("accessibilityText", text) }
            if let mode = sticker.tintMode { json.text("tintMode", mode.rawValue) }
            if let rating = sticker.rating { json.text("rating", rating.rawValue) }
        }
        return json.bytes
    }
}
