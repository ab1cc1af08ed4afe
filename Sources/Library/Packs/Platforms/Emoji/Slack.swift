import StickerConfiguration
import StickerValues

/// Slack's custom emoji (https://api.slack.com/methods/admin.emoji.add): files to be uploaded one by one.
struct Slack: PackMaking {
    let platform = PackPlatform.slack
    /// One pack for each category.
    let rules = PartRules()
    /// The pictures under their names, and `emoji.json`.
    let forms = ["folder"]

    /// Pictures against the target, and names.
    func lint(_ pack: Pack, _ target: Target?) -> [Finding] {
        pack.pictureFindings(target)
            + pack.formatFindings(platform, target, reading: [.gif, .jpeg, .png])
            + pack.nameFindings("small letters, digits, _ and -") {
                $0.wholeMatch(of: /[a-z0-9_-]+/) != nil
            } + takenNames(pack)
    }

    /// Stickers with the name of an emoji that Slack already has: it would answer `error_name_taken`.
    private func takenNames(_ pack: Pack) -> [Finding] {
        pack.stickers.filter { Self.name(of: $0) != $0.identifier.rawValue }.map { sticker in
            pack.finding(
                "name-changed", .warning, sticker,
                "Slack has an emoji of this name, the name is \(Self.name(of: sticker))",
                measured: sticker.identifier.rawValue, limit: "a name of no standard emoji",
                remedy: "\(stickerctl: "new-id \(sticker.identifier)")")
        }
    }

    /// The name typed between colons. No id begins with `_`, so it is unique.
    private static func name(of sticker: PackSticker) -> String {
        let id = sticker.identifier.rawValue
        return SlackNames.isTaken(id) ? "_\(id)" : id
    }

    func files(of packs: [Pack], as form: String) -> [PackFile] {
        EmojiFolder.files(of: packs, for: platform, name: Self.name)
    }
}
