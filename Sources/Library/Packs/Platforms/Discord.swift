import StickerValues

/// Discord's stickers of a server (https://discord.com/developers/docs/resources/sticker): pictures, and the data for
/// each upload.
struct Discord: PackMaking {
    let platform = PackPlatform.discord
    /// The capacity of a fully boosted server.
    let rules = PartRules(most: Limits.slots.last)
    /// A folder for each server.
    let forms = ["folder"]

    /// Discord's limits; lengths are UTF-16 units.
    enum Limits {
        static let name = 2...30
        static let description = 2...100
        static let tagsMax = 200
        /// The capacity of a server by boost level.
        static let slots = [5, 15, 30, 60]
    }

    /// Faults that Discord would refuse, and the boosts that a server needs.
    func lint(_ pack: Pack, _ target: Target?) -> [Finding] {
        pack.countFindings(rules) + pack.slotFindings + pack.nameFindings
            + pack.emojiFindings(atMost: 1) + pack.tagFindings
            + pack.spokenTextFindings(atMostUTF16: Limits.description.upperBound) {
                $0.accessibilityText
            } + pack.pictureFindings(target)
    }

    /// The list, the title, which Discord does not use, and the pictures.
    func files(of packs: [Pack], as form: String) -> [PackFile] {
        packs.flatMap { pack in
            [
                PackFile("\(pack.identifier)/stickers.json", json: pack.stickers.map(Upload.init)),
                PackFile("\(pack.identifier)/title.txt", text: pack.label + "\n"),
            ] + pack.filesByID
        }
    }
}

/// The data of an upload, under the names of Discord's API.
private struct Upload: Encodable {
    /// The picture beside the list.
    var file: String
    var name: String
    /// Absent if no text is long enough.
    var description: String?
    var tags: String

    init(_ sticker: PackSticker) {
        file = sticker.fileName
        name = sticker.discordName
        description = sticker.accessibilityText.flatMap { text in
            let cut = text.cut(toUTF16: Discord.Limits.description.upperBound)
            return cut.count < Discord.Limits.description.lowerBound ? nil : cut
        }
        tags = sticker.emojis.emojis(atMost: 1).joined()
    }
}

extension PackSticker {
    /// The name on Discord. A title that is too short gets `_` as prefix.
    fileprivate var discordName: String {
        let name = discordTitle
        let missing = Discord.Limits.name.lowerBound - name.count
        return String(repeating: "_", count: max(0, missing)) + name
    }

    /// The title, cut to Discord's limit.
    fileprivate var discordTitle: String { title.cut(toUTF16: Discord.Limits.name.upperBound) }
}

extension Pack {
    /// More stickers than a server without boosts holds.
    fileprivate var slotFindings: [Finding] {
        let slots = Discord.Limits.slots
        guard let level = slots.firstIndex(where: { $0 >= stickers.count }), level > 0 else {
            return []
        }
        return [
            Finding(
                "slots", .warning, pack: identifier, "not every server has room for so many",
                measured: stickers.count.counted("sticker", "stickers"),
                limit: "\(slots[0]); with boosts "
                    + slots.dropFirst().map(String.init).joined(separator: ", "),
                remedy: "boost the server to level \(level), or upload the first of them")
        ]
    }

    /// Titles too short or too long for a name.
    fileprivate var nameFindings: [Finding] {
        stickers.compactMap { sticker in
            let title = sticker.discordTitle
            let isShort = title.count < Discord.Limits.name.lowerBound
            guard isShort || title != sticker.title else { return nil }
            let units = sticker.title.utf16.count
            return finding(
                isShort ? "title-short" : "title-cut", .warning, sticker,
                isShort
                    ? "the title is too short, the name is \(sticker.discordName)"
                    : "the title is cut",
                measured: isShort
                    ? title.count.counted("character", "characters") : "\(units) UTF-16 units",
                limit: "\(Discord.Limits.name.lowerBound) to \(Discord.Limits.name.upperBound)",
                option: "title TEXT")
        }
    }

    /// Emoji with very many code points.
    fileprivate var tagFindings: [Finding] {
        stickers.compactMap { sticker in
            let units = sticker.emojis.emojis(atMost: 1).joined().utf16.count
            guard units > Discord.Limits.tagsMax else { return nil }
            return finding(
                "emoji-long", .fault, sticker, "the first emoji is too long",
                measured: "\(units) UTF-16 units", limit: "\(Discord.Limits.tagsMax)",
                remedy: sticker.namingEmojiFirst)
        }
    }
}
