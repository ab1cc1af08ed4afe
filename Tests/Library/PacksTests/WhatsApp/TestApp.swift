import StickerPacks
import StickerValues

/// The folder of an app with one pack, in memory; WhatsApp takes it as it is created.
struct TestApp {
    let app: WhatsAppValidator.App
    /// The members of the manifest besides its packs.
    var top: [String: JSONValue] = [:]
    /// The members of the pack besides its stickers.
    var pack: [String: JSONValue] = [
        "identifier": "cats", "name": "Cats", "publisher": "Jo", "tray_image_file": "tray.png",
        "image_data_version": "1",
    ]
    var stickers: [[String: JSONValue]] = []
    /// The files of the pack.
    var files: [String: [UInt8]] = ["tray.png": TestSticker.png(96, 96)]
    /// How often the pack is listed.
    var copies = 1
    /// The manifest, if it says something else.
    var manifest: String?

    init(_ app: WhatsAppValidator.App, moving: Bool = false, count: Int = 4) {
        self.app = app
        if moving { pack["animated_sticker_pack"] = .bool(true) }
        for number in 0..<count {
            stickers.append(["image_file": .string("\(number).webp"), "emojis": ["😀"]])
            files["\(number).webp"] = moving ? TestSticker.moving : TestSticker.still
        }
    }

    /// The first sticker.
    var sticker: [String: JSONValue] {
        get { stickers[0] }
        set { stickers[0] = newValue }
    }

    /// The file of the first sticker; others keep theirs.
    var file: [UInt8]? {
        get { files["0.webp"] }
        set { files["0.webp"] = newValue }
    }

    var tray: [UInt8]? {
        get { files["tray.png"] }
        set { files["tray.png"] = newValue }
    }

    /// Gives a file another name, in the manifest too.
    mutating func rename(stickerTo name: String) {
        files[name] = files.removeValue(forKey: "0.webp")
        sticker["image_file"] = .string(name)
    }

    /// Gives the tray picture another name, in the manifest too.
    mutating func rename(trayTo name: String) {
        files[name] = files.removeValue(forKey: "tray.png")
        pack["tray_image_file"] = .string(name)
    }

    func findings() -> [Finding] {
        let folder = if case .string(let id)? = pack["identifier"] { "\(id)/" } else { "/" }
        return WhatsAppValidator(for: app).findings(in: Array((manifest ?? text).utf8)) { path in
            guard app == .android else { return files[path] }
            return path.hasPrefix(folder) ? files[String(path.dropFirst(folder.count))] : nil
        }
    }

    /// The rules that are broken, each once.
    var brokenRules: Set<String> { Set(findings().map(\.rule)) }

    private var text: String {
        let all = stickers.map { JSONValue.object(JSONObject(byKey: $0)) }
        let listed = ["stickers": .array(all)].merging(pack) { $1 }
        let packs = [JSONValue](repeating: .object(JSONObject(byKey: listed)), count: copies)
        let whole = ["sticker_packs": .array(packs)].merging(top) { $1 }
        return JSONValue.object(JSONObject(byKey: whole)).text
    }
}
