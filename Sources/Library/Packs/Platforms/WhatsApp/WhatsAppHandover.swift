import FoundationEssentials
import StickerValues

/// One pack as JSON with its pictures in Base64, which an app on iOS puts on the pasteboard under
/// `net.whatsapp.third-party.sticker-pack`. A full animated pack has about 20 MB.
struct WhatsAppHandover {
    let pieces: [PackFile.Piece]

    init(_ pack: Pack) {
        var pieces: [PackFile.Piece] = []
        var text = "{"
        func close() {
            pieces.append(.bytes(Array(text.utf8)))
            text = ""
        }
        func add(_ picture: PublishedPicture) {
            text += "\""
            close()
            pieces.append(.base64(picture))
            text += "\""
        }
        let links = WhatsAppLinks(pack.links)
        if let playStore = links.playStore {
            text += "\"android_play_store_link\":\(playStore.json),"
        }
        if pack.kind == .moving { text += "\"animated_sticker_pack\":true," }
        text += "\"identifier\":\(pack.identifier.json),"
        if let appStore = links.appStore { text += "\"ios_app_store_link\":\(appStore.json)," }
        let publisher = (pack.publisher ?? "").cut(to: WhatsApp.Limits.nameMax)
        text += "\"name\":\(pack.title.cut(to: WhatsApp.Limits.nameMax).json),"
        text += "\"publisher\":\(publisher.json),\"stickers\":["
        for (index, sticker) in pack.stickers.enumerated() {
            let emojis = sticker.emojis.emojis(atMost: WhatsApp.Limits.emojisMax)
            let spoken = sticker.spokenText.cut(
                to: WhatsApp.Limits.accessibilityTextMax(moves: pack.kind == .moving))
            text += (index == 0 ? "" : ",") + "{\"accessibility_text\":\(spoken.json),"
            text += "\"emojis\":[\(emojis.map { $0.canonicalEmoji.json }.joined(separator: ","))],"
            text += "\"image_data\":"
            add(sticker.picture.published)
            text += "}"
        }
        text += "]"
        if let tray = pack.tray {
            text += ",\"tray_image\":"
            add(tray)
        }
        text += "}\n"
        close()
        self.pieces = pieces
    }
}

extension String {
    /// The text in JSON, with its quotation marks.
    fileprivate var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        guard let data = try? encoder.encode(self) else {
            preconditionFailure("a text is always JSON")
        }
        return String(decoding: data, as: UTF8.self)
    }

    /// The emoji as WhatsApp's iOS sample sends it: without code points outside its list of emoji blocks, for example
    /// the variation selector; unchanged if nothing would be left.
    fileprivate var canonicalEmoji: String {
        let blocks: [ClosedRange<UInt32>] = [
            0x1F600...0x1F64F, 0x1F300...0x1F5FF, 0x1F680...0x1F6FF, 0x2600...0x26FF,
            0x2700...0x27BF,
            0x1F1E6...0x1F1FF, 0x1F900...0x1F9FF, 0x200D...0x200D,
        ]
        var kept = String.UnicodeScalarView()
        kept.append(
            contentsOf: unicodeScalars.filter { scalar in
                blocks.contains { $0.contains(scalar.value) }
            })
        return kept.isEmpty ? self : String(kept)
    }
}
