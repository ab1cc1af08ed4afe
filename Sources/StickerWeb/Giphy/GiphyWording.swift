import StickerHTTP
import StickerModel

/// What clients of GIPHY read about a sticker: https://developers.giphy.com/docs/api/schema. Numbers of files are texts there.
enum GiphyWording {
    /// Writes the members of a sticker.
    static func write(_ sticker: FoundSticker, _ json: inout JSONWriter) {
        json.text("type", "sticker")
        json.text("id", sticker.identifier.rawValue)
        json.text("slug", sticker.identifier.rawValue)
        if let picture = sticker.pictures.first { json.text("url", picture.url) }
        json.text("title", sticker.title)
        json.text("alt_text", sticker.text ?? sticker.title)
        json.text("rating", sticker.rating.rawValue)
        json.text("username", "")
        json.text("source", "")
        json.number("is_sticker", 1)
        json.texts("tags", sticker.keywords)
        if let date = sticker.publishedAt.flatMap(Self.date) {
            json.text("import_datetime", date)
            json.text("trending_datetime", date)
        }
        json.object("images") { json in
            // Few files stand for many renditions.
            var written: [FoundSticker.Picture: [UInt8]] = [:]
            for rendition in GiphyRendition.all {
                guard let picture = rendition.picture(of: sticker) else { continue }
                let value = written[picture] ?? bytes(of: picture, sticker)
                written[picture] = value
                json.json(rendition.name, value)
            }
        }
    }

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
