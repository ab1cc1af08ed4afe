import StickerPacks
import StickerValues

/// Stickers as manifests list them, without pictures behind them.
enum TestPack {
    static func hash(_ number: Int) -> ContentHash {
        let digits = String(number)
        return ContentHash(
            rawValue: String(repeating: "0", count: 64 - digits.count) + digits)
    }

    /// A sticker with a file for `target`.
    static func sticker(
        _ number: Int, frames: Int? = nil, target: String = "whatsapp", format: ImageFormat = .webp,
        side: Int = 512, bytes: Int = 20_000, milliseconds: Int = 1000, emojis: [String] = ["😀"],
        words: StickerWords = StickerWords()
    ) -> ManifestSticker {
        let file = StickerFile(
            role: .sticker, target: target, format: format,
            size: PixelSize(width: side, height: side), bytes: bytes, sha256: hash(number),
            frames: frames, durationMilliseconds: frames.map { _ in milliseconds },
            encoding: Encoding(mode: .lossless, quality: nil, score: 100))
        let product = StickerProduct(
            recipe: RecipeID(rawValue: "r"), revision: Recipe.currentRevision,
            animated: frames != nil, encoding: Encoding(mode: .lossless, quality: nil, score: 100),
            files: [file])
        return ManifestSticker(
            identifier: StickerID(rawValue: "s\(number)"), title: "sticker \(number)",
            emojis: emojis, product: product,
            source: .init(name: "s\(number).png", nameEncoding: nil, sha256: hash(number)),
            words: words
        ) { "../\($0.path)" }
    }

    /// A category that says everything a pack needs.
    static func source(_ stickers: [ManifestSticker], publisher: String? = "Ada") -> PackSource {
        var words = CategoryWords()
        words.publisher = publisher
        return PackSource(
            category: CategoryID(rawValue: "cats"), title: "Cats", words: words,
            tray: PublishedPicture(sha256: hash(999), format: .png), stickers: stickers)
    }

    /// The packs of a category that is divided for the first time.
    static func packs(of source: PackSource, for platform: some PackMaking) -> [Pack] {
        var parts = Parts()
        parts.divide(platform.candidates(of: source), by: platform.rules)
        return parts.parts.map { Pack($0, of: source, for: platform) }
    }
}
