public import StickerModel

/// LINE: what LINE Creators Market (https://creator.line.me/en/guideline/sticker/) takes for a set of stickers that stand
/// still. A set has 8, 16, 24, 32 or 40 of them; what is over waits, so that an artist with ten gets a set of eight.
public struct Line: PackMaking {
    /// LINE.
    public let platform = PackPlatform.line
    /// 8 to 40 stickers, in steps of 8.
    public let rules = PartRules(least: 8, most: 40, step: 8)
    /// An archive for each set, and what is to be typed in beside it.
    public let forms = ["zip"]
    /// The main picture, and that of the tab.
    public let icons = [PixelSize(width: 240, height: 240), PixelSize(width: 96, height: 74)]

    /// What LINE takes; texts in UTF-16 units.
    enum Limits {
        static let archiveBytesMax = 20_000_000
        /// For the two pictures of a set, which as PNGs of their size have no more, and the directory of the archive.
        static let archiveReserve = 300_000
        static let titleMax = 40
        static let descriptionMax = 160
        static let creatorMax = 50
        static let copyrightMax = 50
    }

    /// Creates the platform.
    public init() {}

    /// What LINE would refuse before people judge the set.
    ///
    /// - Parameters:
    ///   - pack: as it would be made.
    ///   - target: the rules of its pictures.
    /// - Returns: all of it.
    public func lint(_ pack: Pack, _ target: Target?) -> [Finding] {
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
    ///
    /// - Parameters:
    ///   - packs: the packs of a category, none of which has a fault.
    ///   - form: there is only one.
    /// - Returns: the files in the order in which they are written.
    public func files(of packs: [Pack], as form: String) -> [PackFile] {
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

/// What LINE's form asks for; an archive has no room for it.
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
