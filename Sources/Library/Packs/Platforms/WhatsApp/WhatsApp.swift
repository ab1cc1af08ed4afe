import FoundationEssentials
import StickerValues

/// WhatsApp's sticker packs (https://github.com/WhatsApp/stickers): folders for apps on Android and iOS, archives for
/// sticker makers, and the pasteboard data of an app on iOS.
struct WhatsApp: PackMaking {
    let platform = PackPlatform.whatsapp
    /// 3 to 30 stickers, all animated or none.
    let rules = PartRules(
        least: Limits.stickersMin, most: Limits.stickersMax, dividesMoving: true)
    /// An archive for each pack, the folder for an app on Android, that for iOS, and the JSON for its pasteboard.
    let forms = ["wastickers", "android", "ios", "handover"]
    /// An app shows only the packs in its one manifest.
    let formsOfLibrary = ["android", "ios"]
    /// The JSON for the pasteboard: it repeats every picture in Base64.
    let formsOnRequest: Set = ["handover"]

    /// The limits of its validators; bytes in units of 1,024.
    enum Limits {
        static let stickersMin = 3
        static let stickersMax = 30
        static let stillBytesMax = 100 * 1024
        static let movingBytesMax = 500 * 1024
        static let side = 512
        static let millisecondsMax = 10_000
        static let emojisMax = 3
        /// UTF-16 units of a name or a publisher.
        static let nameMax = 128
        /// UTF-16 units of an accessibility text.
        static func accessibilityTextMax(moves: Bool) -> Int { moves ? 255 : 125 }
    }

    func files(of packs: [Pack], as form: String) -> [PackFile] {
        switch form {
        case "android": android(packs)
        case "ios": ios(packs)
        case "handover": packs.map(handover)
        default: packs.map(stickerMakerArchive)
        }
    }

    /// The findings of its validators about the folders of apps.
    func findings(in form: String, file: (_ path: String) -> [UInt8]?) -> [Finding] {
        guard let app = WhatsAppValidator.App(rawValue: form) else { return [] }
        return WhatsAppValidator(for: app).findings(in: file(app.manifestName) ?? [], file: file)
    }

    /// `contents.json`, and a folder for each pack.
    private func android(_ packs: [Pack]) -> [PackFile] {
        let contents = WhatsAppContents(packs, isForIOS: false) { _ in "tray.png" }
        return [PackFile("contents.json", json: contents)]
            + packs.flatMap { pack in
                pictures(of: pack, tray: "\(pack.identifier)/tray.png") { _, sticker in
                    "\(pack.identifier)/\(sticker.identifier).webp"
                }
            }
    }

    /// Everything in one folder; ids of stickers are unique in the library.
    private func ios(_ packs: [Pack]) -> [PackFile] {
        let contents = WhatsAppContents(packs, isForIOS: true, tray: Self.tray)
        return [PackFile("sticker_packs.wasticker", json: contents)]
            + packs.flatMap { pack in
                pictures(of: pack, tray: Self.tray(of: pack)) { "\($1.identifier).webp" }
            }
    }

    private static func tray(of pack: Pack) -> String { "\(pack.identifier)-tray.png" }

    /// The archive that third-party sticker makers import: no folders and no emoji.
    private func stickerMakerArchive(_ pack: Pack) -> PackFile {
        let texts = [
            PackFile("title.txt", text: pack.title.cut(toUTF16: Limits.nameMax) + "\n"),
            PackFile(
                "author.txt", text: (pack.publisher ?? "").cut(toUTF16: Limits.nameMax) + "\n"),
        ]
        let pictures = pictures(of: pack, tray: "cover.png") { index, _ in
            (index < 9 ? "0" : "") + "\(index + 1).webp"
        }
        return PackFile("\(pack.identifier).wastickers", .archive(.zip, texts + pictures))
    }

    private func pictures(
        of pack: Pack, tray: String, name: (Int, PackSticker) -> String
    ) -> [PackFile] {
        (pack.tray.map { [PackFile(tray, .picture($0))] } ?? [])
            + pack.stickers.enumerated().map { index, sticker in
                PackFile(name(index, sticker), .picture(sticker.picture.published))
            }
    }

    /// The JSON that an app on iOS puts on the pasteboard, for one pack.
    private func handover(_ pack: Pack) -> PackFile {
        PackFile(
            "\(pack.identifier).json", .joined(WhatsAppHandover(pack).pieces))
    }
}
