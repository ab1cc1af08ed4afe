import FoundationEssentials
import StickerValues

/// An Android app built around the files of a bare pack, so that WhatsApp's validator can judge them.
///
/// Its own texts break no rule; findings about others are dropped.
struct WhatsAppHull {
    /// `contents.json`.
    let manifest: [UInt8]
    /// The files of the app by their paths in it.
    let paths: [String: String]

    init(_ pack: ImportedPack, moves: Bool) {
        var paths = ["pack/tray.png": pack.cover ?? ""]
        var stickers: [Contents.Sticker] = []
        for (index, sticker) in pack.stickers.enumerated() {
            let name = "\(index + 1).webp"
            paths["pack/\(name)"] = sticker.path
            stickers.append(Contents.Sticker(image_file: name))
        }
        self.paths = paths
        let contents = Contents(
            sticker_packs: [Contents.Pack(animated_sticker_pack: moves, stickers: stickers)])
        guard let data = try? JSONEncoder().encode(contents) else {
            preconditionFailure("texts, lists and truth values are always JSON")
        }
        manifest = [UInt8](data)
    }
}

private struct Contents: Encodable {
    struct Sticker: Encodable {
        var image_file: String
        var emojis = ["🙂"]
    }

    struct Pack: Encodable {
        var identifier = "pack"
        var name = "pack"
        var publisher = "pack"
        var tray_image_file = "tray.png"
        var image_data_version = "1"
        var animated_sticker_pack: Bool
        var stickers: [Sticker]
    }

    var sticker_packs: [Pack]
}
