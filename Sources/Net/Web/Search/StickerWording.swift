import StickerHTTP
import StickerValues

/// The search words of stickers, and the JSON of answers, made once for each state of a sticker.
struct StickerWording: Sendable {
    /// The public addresses of files.
    let addresses: PublicAddresses

    /// The row of the index.
    func row(
        of sticker: PublishedSticker, in category: PublishedCategory, at place: Int64
    ) -> SearchIndex.Row {
        let words =
            SearchText.indexed(
                [sticker.title] + (sticker.keywords ?? []) + sticker.emojis
                    + [category.title, category.identifier.rawValue])
            + " " + SearchText.indexed(sticker.rating ?? .unsaid)
        return SearchIndex.Row(
            place: place, identifier: sticker.identifier, category: category.identifier,
            words: words, facts: facts(of: sticker, in: category))
    }

    /// Clients of sticker providers read `id`, `url` and `thumbnail`.
    private func facts(
        of sticker: PublishedSticker, in category: PublishedCategory
    ) -> SearchIndex.Facts {
        let still = sticker.companion?.url ?? sticker.thumbnailURL ?? sticker.imageURL
        func address(_ url: String) -> String { addresses.file(url, of: category.identifier) }
        var json = JSONWriter()
        json.text("id", sticker.identifier.rawValue)
        json.text("thumbnail", address(sticker.thumbnailURL ?? still))
        json.text("title", sticker.title)
        json.text("category", category.identifier.rawValue)
        json.flag("animated", sticker.animated)
        json.texts("emojis", sticker.emojis)
        if let keywords = sticker.keywords { json.texts("keywords", keywords) }
        if let text = sticker.accessibilityText { json.text("accessibilityText", text) }
        if let mode = sticker.tintMode { json.text("tintMode", mode.rawValue) }
        if let rating = sticker.rating { json.text("rating", rating.rawValue) }
        if sticker.pinned == true { json.flag("pinned", true) }
        if sticker.isSmart { json.flag("smart", true) }
        if let style = sticker.style { json.text("style", style) }
        if let variants = sticker.variants {
            json.objects("variants", variants) { variant, json in
                json.text("style", variant.style)
                json.text("url", address(variant.companionURL ?? variant.imageURL))
                json.text("webp", address(variant.imageURL))
            }
        }
        return SearchIndex.Facts(
            url: JSONWriter.string(address(still)),
            webp: JSONWriter.string(address(sticker.imageURL)), members: json.bytes,
            files: FoundSticker.facts(of: sticker, still: still, address))
    }
}
