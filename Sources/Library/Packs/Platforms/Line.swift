import StickerValues

/// LINE: still sets as LINE Creators Market (https://creator.line.me/en/guideline/sticker/) accepts them. A set has 8,
/// 16, 24, 32 or 40 stickers; the rest waits, so that ten stickers give a set of eight.
struct Line: PackMaking {
    let platform = PackPlatform.line
    /// 8 to 40 stickers, in steps of 8.
    let rules = PartRules(least: 8, most: 40, step: 8)
    /// An archive for each set, and the texts to type in.
    let forms = ["zip"]
    /// The main picture, and that of the tab.
    let icons = [PixelSize(width: 240, height: 240), PixelSize(width: 96, height: 74)]

    /// LINE's limits; texts in UTF-16 units.
    enum Limits {
        static let archiveBytesMax = 20_000_000
        /// For the two pictures of a set, which cannot be larger as PNGs of their size, and the directory of the
        /// archive.
        static let archiveReserve = 300_000
        static let titleMax = 40
        static let descriptionMax = 160
        static let creatorMax = 50
        static let copyrightMax = 50
    }

    /// Faults that LINE would refuse before human review.
    func lint(_ pack: Pack, _ target: Target?) -> [Finding] {
        pack.countFindings(rules) + pack.iconFindings(self)
            + pack.archiveFinding(
                atMost: Limits.archiveBytesMax, reserve: Limits.archiveReserve,
                key: "targets.line.still.bytesMax")
            + pack.textFinding("title", pack.title, atMostUTF16: Limits.titleMax)
            + pack.textFinding(
                "description", pack.description ?? "", atMostUTF16: Limits.descriptionMax)
            + pack.textFinding("publisher", pack.publisher ?? "", atMostUTF16: Limits.creatorMax)
            + pack.textFinding("licence", pack.licence ?? "", atMostUTF16: Limits.copyrightMax)
            + pack.pictureFindings(target)
    }

    /// The archive, and the texts.
    func files(of packs: [Pack], as form: String) -> [PackFile] {
        packs.flatMap { pack in
            [
                PackFile("\(pack.identifier).zip", .archive(.zip, pictures(of: pack))),
                PackFile("\(pack.identifier).json", json: Texts(pack)),
            ]
        }
    }

    private func pictures(of pack: Pack) -> [PackFile] {
        let icons = zip(["main.png", "tab.png"], icons).compactMap { name, size in
            pack.icon(size.width, size.height).map { PackFile(name, .picture($0)) }
        }
        return icons
            + pack.stickers.enumerated().map { index, sticker in
                PackFile(
                    "\((index + 1).withZeros(to: 2)).png", .picture(sticker.picture.published))
            }
    }
}

/// The texts of LINE's form, which cannot be in the archive.
private struct Texts: Encodable {
    var title: String
    var description: String?
    var creator: String?
    var copyright: String?

    init(_ pack: Pack) {
        title = pack.title.cut(toUTF16: Line.Limits.titleMax)
        description = pack.description?.cut(toUTF16: Line.Limits.descriptionMax)
        creator = pack.publisher?.cut(toUTF16: Line.Limits.creatorMax)
        copyright = pack.licence?.cut(toUTF16: Line.Limits.copyrightMax)
    }
}
