public import StickerModel

/// Discord's stickers of a server (https://discord.com/developers/docs/resources/sticker): pictures, and what is told when
/// each of them is uploaded.
public struct Discord: PackMaking {
    /// Discord.
    public let platform = PackPlatform.discord
    /// As many as a server with every boost holds.
    public let rules = PartRules(most: Limits.slots.last)
    /// A folder for each server.
    public let forms = ["folder"]

    /// What Discord takes; lengths are UTF-16 units.
    enum Limits {
        static let name = 2...30
        static let description = 2...100
        static let tagsMax = 200
        /// The room of a server, by the level to which it is boosted.
        static let slots = [5, 15, 30, 60]
    }

    /// Creates the platform.
    public init() {}

    /// What Discord would refuse, and how many boosts a server needs.
    ///
    /// - Parameters:
    ///   - pack: as it would be made.
    ///   - target: the rules of its pictures.
    /// - Returns: all of it.
    public func lint(_ pack: Pack, _ target: Target?) -> [Finding] {
        pack.countFindings(rules) + pack.slotFindings + pack.nameFindings
            + pack.emojiFindings(atMost: 1) + pack.tagFindings
            + pack.spokenTextFindings(atMostUTF16: Limits.description.upperBound) {
                $0.accessibilityText
            } + pack.pictureFindings(target)
    }

    /// The list, the title, for which Discord has no place, and the pictures.
    ///
    /// - Parameters:
    ///   - packs: the packs of a category, none of which has a fault.
    ///   - form: there is only one.
    /// - Returns: the files in the order in which they are written.
    public func files(of packs: [Pack], as form: String) -> [PackFile] {
        packs.flatMap { pack in
            [
                PackFile("\(pack.identifier)/stickers.json", json: pack.stickers.map(Upload.init)),
                PackFile("\(pack.identifier)/title.txt", text: pack.label + "\n"),
            ] + pack.filesByID
        }
    }
}

/// What is told when a sticker is uploaded, under the names of Discord's API.
private struct Upload: Encodable {
    /// The picture beside the list.
    var file: String
    var name: String
    /// Absent if there is nothing that is long enough.
    var description: String?
    /// One emoji.
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
    /// What Discord calls it. A title that is too short gets `_` in front.
    fileprivate var discordName: String {
        let name = discordTitle
        let missing = Discord.Limits.name.lowerBound - name.count
        return String(repeating: "_", count: max(0, missing)) + name
    }

    /// As much of the title as Discord takes.
    fileprivate var discordTitle: String { title.cut(toUTF16: Discord.Limits.name.upperBound) }
}

extension Pack {
    /// More stickers than a server holds that nobody boosted.
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

    /// Titles that are too short or too long for a name.
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

    /// Emoji of very many parts.
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
