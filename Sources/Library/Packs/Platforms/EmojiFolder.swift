import StickerModel

/// Pictures named like emoji, and a list of them: for platforms that take one upload each, which a script of the
/// operator does.
struct EmojiFolder: Encodable {
    /// One upload.
    struct Emoji: Encodable {
        /// What people type between colons.
        var name: String
        /// The file beside the list.
        var file: String
        /// Where the same file is published; absent without a public address.
        var url: String?
        /// What a screen reader says.
        var title: String
        /// Further words under which it is found.
        var keywords: [String]
    }

    /// Whose upload it is for.
    private let platform: PackPlatform
    /// What the pack is called: neither platform asks for it, but whoever imports the folder does.
    private let title: String?
    private let emoji: [Emoji]

    private init(
        _ packs: [Pack], for platform: PackPlatform, _ name: (PackSticker) -> String
    ) {
        self.platform = platform
        title = packs.first?.label
        emoji = packs.flatMap { pack in
            pack.stickers.map { sticker in
                Emoji(
                    name: name(sticker), file: PackFile(name(sticker), pictureOf: sticker).path,
                    url: pack.baseURL.map { $0 + sticker.picture.published.path },
                    title: sticker.label, keywords: sticker.keywords)
            }
        }
    }

    /// Everything in one folder: ids of stickers are unique in the whole library.
    ///
    /// - Parameters:
    ///   - packs: the packs, which are one for each category.
    ///   - platform: whose they are.
    ///   - name: what a sticker is called there, each another name.
    /// - Returns: the pictures, and behind them `emoji.json`, which names them.
    static func files(
        of packs: [Pack], for platform: PackPlatform,
        name: (PackSticker) -> String = \.identifier.rawValue
    ) -> [PackFile] {
        packs.flatMap(\.stickers).map { PackFile(name($0), pictureOf: $0) }
            + [PackFile("emoji.json", json: EmojiFolder(packs, for: platform, name))]
    }
}
