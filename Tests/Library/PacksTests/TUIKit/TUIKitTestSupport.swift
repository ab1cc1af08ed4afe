import FoundationEssentials
import StickerValues

@testable import StickerPacks

/// Stickers and libraries for TUIKit.
enum TUIKitLibrary {
    /// A sticker, by its id; one that moves has a still of the number behind its own.
    static func sticker(
        _ number: Int, _ id: String? = nil, moves: Bool = false
    ) -> ManifestSticker {
        var sticker = TestPack.sticker(
            number, frames: moves ? 3 : nil, target: "tuikit", format: moves ? .gif : .png,
            side: 240, emojis: [])
        sticker.identifier = StickerID(rawValue: id ?? sticker.identifier.rawValue)
        sticker.thumbnailURL = "../\(PublishedPicture.of(number + 1, .png).path)"
        return sticker
    }

    /// A category.
    static func category(_ id: String, _ stickers: [ManifestSticker]) -> PackSource {
        var source = TestPack.source(stickers)
        (source.category, source.title) = (CategoryID(rawValue: id), id.capitalized)
        return source
    }

    /// The packs of a library whose categories came in this order.
    static func packs(_ categories: [PackSource]) -> [Pack] {
        categories.enumerated().map { index, category in
            let part = Part(kind: .all, number: 1, stickers: category.stickers.map(\.identifier))
            return Pack(part, of: category, for: TUIKit(), place: index + 1)
        }
    }

    /// Two groups, the first of which has a sticker that moves and one with an alias.
    static let packs = packs([
        category(
            "dogs", [sticker(10, "wag", moves: true), sticker(20, "toys"), sticker(30, "bow")]),
        category("cats", [sticker(40, "wave"), sticker(50, "menu")]),
    ])
}
