public import StickerValues

/// Zulip's custom emoji (https://zulip.com/api/upload-custom-emoji): files to be uploaded one by one.
public struct Zulip: PackMaking {
    /// Zulip.
    public let platform = PackPlatform.zulip
    /// One pack for each category.
    public let rules = PartRules()
    /// The pictures under their names, and `emoji.json`.
    public let forms = ["folder"]

    /// Creates the platform.
    public init() {}

    /// Pictures against the target, and names.
    ///
    /// - Parameters:
    ///   - pack: as it would be made.
    ///   - target: the rules of its pictures.
    /// - Returns: all findings.
    public func lint(_ pack: Pack, _ target: Target?) -> [Finding] {
        pack.pictureFindings(target)
            + pack.nameFindings("small letters, digits, _ and -, a letter or digit last") {
                $0.wholeMatch(of: /[0-9a-z_-]*[0-9a-z]/) != nil
            }
    }

    /// The files of a form.
    ///
    /// - Parameters:
    ///   - packs: the packs of a category, without faults.
    ///   - form: the name of one of `forms`.
    /// - Returns: the files in writing order.
    public func files(of packs: [Pack], as form: String) -> [PackFile] {
        EmojiFolder.files(of: packs, for: platform)
    }
}
