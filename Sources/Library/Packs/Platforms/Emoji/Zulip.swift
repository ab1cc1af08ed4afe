import StickerValues

/// Zulip's custom emoji (https://zulip.com/api/upload-custom-emoji): files to be uploaded one by one.
struct Zulip: PackMaking {
    let platform = PackPlatform.zulip
    /// One pack for each category.
    let rules = PartRules()
    /// The pictures under their names, and `emoji.json`.
    let forms = ["folder"]

    /// Pictures against the target, and names.
    func lint(_ pack: Pack, _ target: Target?) -> [Finding] {
        pack.pictureFindings(target)
            + pack.nameFindings("small letters, digits, _ and -, a letter or digit last") {
                $0.wholeMatch(of: /[0-9a-z_-]*[0-9a-z]/) != nil
            }
    }

    func files(of packs: [Pack], as form: String) -> [PackFile] {
        EmojiFolder.files(of: packs, for: platform)
    }
}
