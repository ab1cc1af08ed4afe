import StickerValues

/// Signal: a folder for the creator in Signal-Desktop, which other sticker tools read, too.
struct Signal: PackMaking {
    let platform = PackPlatform.signal
    /// 1 to 200 stickers of any kind.
    let rules = PartRules(most: 200)
    /// A folder for each pack.
    let forms = ["folder"]
    /// The cover: at this size no PNG exceeds Signal's limit of 300 KB.
    let icons = [PixelSize(width: 240, height: 240)]

    /// Faults that Signal would refuse: it requires a title, an author, and one emoji for each sticker.
    func lint(_ pack: Pack, _ target: Target?) -> [Finding] {
        pack.countFindings(rules) + pack.titleFindings + pack.publisherFindings()
            + pack.emojiFindings(atMost: 1) + pack.pictureFindings(target)
    }

    /// The texts, the cover, and the pictures with names that keep their order.
    func files(of packs: [Pack], as form: String) -> [PackFile] { packs.flatMap(files) }

    private func files(of pack: Pack) -> [PackFile] {
        let folder = pack.identifier
        let stems = pack.stickers.enumerated().map { index, sticker in
            "\((index + 1).withZeros(to: 3))_\(sticker.identifier)"
        }
        let emojis = zip(stems, pack.stickers).map { ($0, $1.emojis.emojis(atMost: 1).joined()) }
        let texts = [
            PackFile("\(folder)/title.txt", text: pack.title + "\n"),
            PackFile("\(folder)/author.txt", text: (pack.publisher ?? "") + "\n"),
            PackFile("\(folder)/emoji.txt", json: Dictionary(uniqueKeysWithValues: emojis)),
        ]
        let cover = (pack.icon(240, 240) ?? pack.tray).map {
            PackFile("\(folder)/cover.png", .picture($0))
        }
        // An animated PNG is named `.png`, too.
        let pictures = zip(stems, pack.stickers).map { stem, sticker in
            let picture = sticker.picture.published
            return PackFile(
                "\(folder)/\(stem).\(picture.format.fileExtension)", .picture(picture))
        }
        return texts + [cover].compactMap(\.self) + pictures
    }
}
