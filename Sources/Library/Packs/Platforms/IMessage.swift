import StickerValues

/// iMessage: the sticker catalog of an app or extension in Xcode (Asset Catalog Format Reference, types "Sticker pack"
/// and "Sticker"). It does not include the icons of the app itself.
struct IMessage: PackMaking {
    let platform = PackPlatform.imessage
    /// At most 100 stickers of any kind.
    let rules = PartRules(most: 100)
    /// A catalog for each pack.
    let forms = ["xcode"]

    /// In an accessibility label, in UTF-16 units.
    private static let labelMax = 150

    /// Faults that Xcode or iMessage would refuse.
    func lint(_ pack: Pack, _ target: Target?) -> [Finding] {
        pack.countFindings(rules) + pack.spokenTextFindings(atMostUTF16: Self.labelMax)
            + pack.pictureFindings(target)
    }

    /// The catalog: a folder for the pack, and one in it for each sticker.
    func files(of packs: [Pack], as form: String) -> [PackFile] { packs.flatMap(files) }

    private func files(of pack: Pack) -> [PackFile] {
        let catalog = "\(pack.identifier)/Stickers.xcstickers"
        let folder = "\(catalog)/Sticker Pack.stickerpack"
        let names = pack.stickers.map { "\($0.identifier).sticker" }
        let list = Contents(
            properties: .init(gridSize: "regular"), stickers: names.map { .init(filename: $0) })
        let stickers = zip(names, pack.stickers).flatMap { name, sticker in
            [
                PackFile("\(folder)/\(name)/Contents.json", json: Self.contents(of: sticker)),
                PackFile(
                    "\(folder)/\(name)/\(sticker.fileName)", .picture(sticker.picture.published)),
            ]
        }
        return [
            PackFile("\(catalog)/Contents.json", json: Contents()),
            PackFile("\(folder)/Contents.json", json: list),
        ] + stickers
    }

    private static func contents(of sticker: PackSticker) -> Contents {
        Contents(
            properties: .init(
                accessibilityLabel: sticker.spokenText.cut(toUTF16: labelMax),
                filename: sticker.fileName))
    }
}

/// `Contents.json` of a folder in an asset catalog.
private struct Contents: Encodable {
    struct Info: Encodable {
        var author = "xcode"
        var version = 1
    }

    struct Properties: Encodable {
        var accessibilityLabel: String?
        /// Absent in folders.
        var filename: String?
        var gridSize: String?

        enum CodingKeys: String, CodingKey {
            case filename
            case accessibilityLabel = "accessibility-label"
            case gridSize = "grid-size"
        }
    }

    struct Sticker: Encodable {
        var filename: String
    }

    var info = Info()
    var properties: Properties?
    var stickers: [Sticker]?
}
