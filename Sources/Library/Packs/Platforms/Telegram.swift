import StickerValues

/// Telegram's sticker sets (https://core.telegram.org/bots/api#createnewstickerset): pictures, and the data that a bot
/// sends. Animations are left out, because Telegram accepts them only as video.
struct Telegram: PackMaking {
    let platform = PackPlatform.telegram
    /// At most 120 stickers.
    let rules = PartRules(most: 120)
    /// A folder for each set.
    let forms = ["folder"]
    /// The thumbnail of a set.
    let icons = [PixelSize(width: 100, height: 100)]

    /// The limits of the Bot API.
    enum Limits {
        static let emojisMax = 20
        static let keywordsMax = 20
        /// Of all keywords of a sticker, in UTF-16 units.
        static let keywordsLengthMax = 64
        /// UTF-16 units.
        static let titleMax = 64
        /// Of the 64 characters of a short name, 36 are for `_by_` and the name of a bot.
        static let nameMax = 28
    }

    /// Faults that Telegram would refuse; an import without emoji never ends.
    func lint(_ pack: Pack, _ target: Target?) -> [Finding] {
        pack.countFindings(rules) + pack.titleFindings
            + pack.textFinding("title", pack.title, atMostUTF16: Limits.titleMax)
            + pack.emojiFindings(atMost: Limits.emojisMax) + pack.keywordFindings
            + pack.pictureFindings(target)
    }

    /// The description, the thumbnail if any, and the pictures.
    func files(of packs: [Pack], as form: String) -> [PackFile] {
        packs.flatMap { pack in
            let thumbnail = pack.icon(100, 100).map {
                PackFile("\(pack.identifier)/thumbnail.png", .picture($0))
            }
            return [PackFile("\(pack.identifier)/sticker_set.json", json: StickerSet(pack))]
                + [thumbnail].compactMap(\.self) + pack.filesByID
        }
    }
}

/// The parameters of `createNewStickerSet`, under their names there; `sticker` is a file beside it.
private struct StickerSet: Encodable {
    struct Sticker: Encodable {
        var sticker: String
        var format = "static"
        var emojiList: [String]
        var keywords: [String]

        enum CodingKeys: String, CodingKey {
            case sticker, format, keywords
            case emojiList = "emoji_list"
        }
    }

    /// A bot adds `_by_` and its own name.
    var name: String
    var title: String
    var stickers: [Sticker]

    init(_ pack: Pack) {
        name = pack.shortName
        title = pack.title.cut(toUTF16: Telegram.Limits.titleMax)
        stickers = pack.stickers.map { sticker in
            Sticker(
                sticker: sticker.fileName,
                emojiList: sticker.emojis.emojis(atMost: Telegram.Limits.emojisMax),
                keywords: sticker.telegramKeywords)
        }
    }
}

extension Pack {
    /// A short name: letters, digits and single underscores, a letter first.
    fileprivate var shortName: String {
        let suffix = identifier.dropFirst(category.rawValue.count).replacing("-", with: "_")
        let first = category.rawValue.first?.isLetter == true ? "" : "s_"
        let whole = first + category.rawValue
        let room = Telegram.Limits.nameMax - suffix.count
        // The end may be the only difference between two categories.
        let cut = whole.count <= room ? whole : whole.prefix(room - 9) + "_" + whole.shortHash
        let words = cut.split(separator: "_")
        return words.joined(separator: "_") + suffix
    }

    /// Keywords beyond the limit.
    fileprivate var keywordFindings: [Finding] {
        stickers.compactMap { sticker in
            let taken = sticker.telegramKeywords.count
            guard taken < sticker.keywords.count else { return nil }
            let length = sticker.keywords.reduce(0) { $0 + $1.utf16.count }
            return finding(
                "keywords-cut", .warning, sticker, "only \(taken) keywords are taken",
                measured: "\(sticker.keywords.count) of \(length) UTF-16 units",
                limit: "\(Telegram.Limits.keywordsMax) of \(Telegram.Limits.keywordsLengthMax)",
                option: "keyword WORD")
        }
    }
}

extension PackSticker {
    /// The first keywords that fit the limit.
    fileprivate var telegramKeywords: [String] {
        var room = Telegram.Limits.keywordsLengthMax
        let fitting = keywords.filter { keyword in
            guard keyword.utf16.count <= room else { return false }
            room -= keyword.utf16.count
            return true
        }
        return Array(fitting.prefix(Telegram.Limits.keywordsMax))
    }
}
