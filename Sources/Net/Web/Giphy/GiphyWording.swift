import StickerHTTP
import StickerValues

/// The members of a sticker for clients of GIPHY: https://developers.giphy.com/docs/api/schema, and
/// https://github.com/Giphy/giphy-js, packages/types/src/gif.ts. Numbers of files are texts there.
///
/// There is no `user`: for one with a name, GIPHY's client loads a picture from GIPHY's servers.
enum GiphyWording {
    /// Writes the members of a sticker.
    static func write(_ sticker: FoundSticker, _ json: inout JSONWriter) {
        json.text("type", "sticker")
        json.text("id", sticker.identifier.rawValue)
        json.text("slug", sticker.identifier.rawValue)
        if let picture = sticker.pictures.first {
            for name in addresses { json.text(name, picture.url) }
        }
        json.text("title", sticker.title)
        json.text("alt_text", sticker.text ?? sticker.title)
        json.text("rating", sticker.rating.rawValue)
        for name in unsaid { json.text(name, "") }
        json.number("is_sticker", 1)
        for name in untrue { json.number(name, 0) }
        json.texts("tags", sticker.keywords)
        // Any content is taken for an advertisement.
        json.object("bottle_data") { _ in }
        if let date = sticker.publishedAt.flatMap(Self.date) {
            json.text("import_datetime", date)
            json.text("trending_datetime", date)
        }
        json.object("images") { json in
            // A few files serve many renditions.
            var written: [FoundSticker.Picture: [UInt8]] = [:]
            for rendition in GiphyRendition.all {
                guard let picture = rendition.picture(of: sticker) else { continue }
                let value = written[picture] ?? bytes(of: picture, sticker)
                written[picture] = value
                json.json(rendition.name, value)
            }
        }
    }

    /// Writes the members of a category, whose name in addresses is its id.
    static func write(
        _ category: CategoryFacts, cover: FoundSticker?, _ json: inout JSONWriter
    ) {
        json.text("name", category.title)
        json.text("name_encoded", category.identifier.rawValue)
        json.list("subcategories") { _ in }
        guard let cover else { return }
        json.object("gif") { write(cover, &$0) }
    }

    private static let addresses = ["url", "bitly_url", "bitly_gif_url", "embed_url"]
    /// Without a payload for analytics, GIPHY's client does not report to GIPHY what people look at.
    private static let unsaid = [
        "username", "source", "source_tld", "source_post_url", "content_url",
        "analytics_response_payload",
    ]
    private static let untrue = ["is_hidden", "is_indexable", "is_removed", "is_scheduled"]

    private static func bytes(of picture: FoundSticker.Picture, _ sticker: FoundSticker) -> [UInt8]
    {
        var json = JSONWriter()
        json.object { json in
            json.text("url", picture.url)
            json.text("width", String(picture.width))
            json.text("height", String(picture.height))
            json.text("size", String(picture.bytes))
            if picture.frames > 1 { json.text("frames", String(picture.frames)) }
            guard let webP = picture.webP(of: sticker) else { return }
            json.text("webp", webP.url)
            json.text("webp_size", String(webP.bytes))
        }
        return json.bytes
    }

    /// `2026-11-23T22:17:25Z` as `2026-11-23 22:17:25`.
    private static func date(_ text: String) -> String? {
        guard OfferOrder.seconds(of: text) != nil else { return nil }
        return String(text.prefix(19).map { $0 == "T" ? " " : $0 })
    }
}
