import StickerConfiguration
import StickerValues

/// Misskey's custom emoji, in the archive that its control panel exports and imports
/// (https://misskey-hub.net/en/docs/for-admin/emoji/).
struct Misskey: PackMaking {
    let platform = PackPlatform.misskey
    /// One pack for each category.
    let rules = PartRules()
    /// An archive for each pack.
    let forms = ["zip"]

    /// The limit of its database for a name, a category or an alias, in code points.
    private static let textMax = 128

    /// Pictures against the target, names, and the category's title.
    func lint(_ pack: Pack, _ target: Target?) -> [Finding] {
        pack.pictureFindings(target)
            + pack.nameFindings("letters, digits and _") {
                $0.wholeMatch(of: /[A-Za-z0-9_]{1,128}/) != nil
            } + title(of: pack)
    }

    private func title(of pack: Pack) -> [Finding] {
        let length = pack.label.unicodeScalars.count
        guard length > Self.textMax else { return [] }
        return [
            Finding(
                "title-cut", .warning, pack: pack.identifier, "the title is cut",
                measured: "\(length) code points", limit: "\(Self.textMax)",
                remedy: "\(stickerctl: "set \(pack.category) --category --title TEXT")")
        ]
    }

    func files(of packs: [Pack], as form: String) -> [PackFile] {
        packs.map { pack in
            let pictures = pack.stickers.map { PackFile($0.identifier.rawValue, pictureOf: $0) }
            let list = PackFile("meta.json", json: Contents(pack))
            return PackFile("\(pack.identifier).zip", .archive(.zip, pictures + [list]))
        }
    }

    /// `meta.json`.
    private struct Contents: Encodable {
        struct Record: Encodable {
            /// Whether the file is in the archive; other entries are skipped.
            var downloaded = true
            var fileName: String
            var emoji: Emoji
        }

        struct Emoji: Encodable {
            var name: String
            var category: String
            var aliases: [String]
            /// Free text about licence and author (https://github.com/misskey-dev/misskey/issues/10091): there is no
            /// other field for an author.
            var license: String?
        }

        var metaVersion = 2
        /// The exporting server. There is none, and the importer ignores it.
        var host = "localhost"
        /// A fixed time, that of every file in our archives: equal packs are equal bytes.
        var exportedAt = "1980-01-01T00:00:00.000Z"
        var emojis: [Record]

        init(_ pack: Pack) {
            emojis = pack.stickers.map { sticker in
                let name = sticker.identifier.rawValue
                let emoji = Emoji(
                    name: name, category: pack.label.cut(toScalars: textMax),
                    aliases: Self.aliases(of: sticker), license: pack.licence(of: sticker))
                return Record(fileName: PackFile(name, pictureOf: sticker).path, emoji: emoji)
            }
        }

        /// The title first, as a name has only Latin letters.
        private static func aliases(of sticker: PackSticker) -> [String] {
            var aliases: [String] = []
            for word in [sticker.title] + sticker.keywords {
                let alias = word.cut(toScalars: textMax)
                guard !alias.isEmpty, !aliases.contains(alias) else { continue }
                aliases.append(alias)
            }
            return aliases
        }
    }
}
