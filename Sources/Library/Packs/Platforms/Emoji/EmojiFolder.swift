import StickerValues

/// Pictures named like emoji, and a list of them: for platforms with one upload per emoji, which a script of the
/// operator does.
struct EmojiFolder: Encodable {
    /// One upload.
    struct Emoji: Encodable {
        /// The name typed between colons.
        var name: String
        /// The file beside the list.
        var file: String
        /// The published address of the same file; absent without a public address.
        var url: String?
        /// The text for screen readers.
        var title: String
        /// Further search words.
        var keywords: [String]
    }

    private let platform: PackPlatform
    /// The title of the pack, for imports: neither platform asks for it.
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

    /// All files in one folder: ids of stickers are unique in the library.
    ///
    /// - Parameters:
    ///   - packs: the packs, one for each category.
    ///   - platform: their platform.
    ///   - name: returns the unique name of a sticker there.
    /// - Returns: the pictures, then `emoji.json`, which names them.
    static func files(
        of packs: [Pack], for platform: PackPlatform,
        name: (PackSticker) -> String = \.identifier.rawValue
    ) -> [PackFile] {
        packs.flatMap(\.stickers).map { PackFile(name($0), pictureOf: $0) }
            + [PackFile("emoji.json", json: EmojiFolder(packs, for: platform, name))]
    }
}
