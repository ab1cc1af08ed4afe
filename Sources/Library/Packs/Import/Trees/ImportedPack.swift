public import StickerValues

/// A pack as its files describe it; its pictures were not read yet.
public struct ImportedPack: Hashable, Sendable {
    /// The form of its files, in words: `WhatsApp, iOS`.
    public var form: String
    /// Its platform; `nil` if unknown.
    public var platform: PackPlatform?
    /// The path of the description that lists its stickers; `nil` if there is none.
    public var list: String?
    /// Its name.
    public var name: String
    /// Its words.
    public var words = CategoryWords()
    /// The path of its cover.
    public var cover: String?
    /// Its stickers.
    public var stickers: [ImportedSticker] = []
    /// Whether the description gives an order; otherwise names do.
    public var isOrdered = false
    /// Faults of the description that the platform would refuse and that an import drops.
    var refused: [Finding] = []

    /// Creates a pack without stickers.
    public init(form: String, name: String, for platform: PackPlatform?, list: String? = nil) {
        self.form = form
        self.name = name
        self.platform = platform
        self.list = list
    }
}

/// A sticker of a pack, before its picture is read.
public struct ImportedSticker: Hashable, Sendable {
    /// The path of its picture.
    public var path: String
    /// Its name, without an extension.
    public var name: String
    /// Its name on the platform, if that is not the name of its file.
    public var shortcode: String?
    /// Its words.
    public var words = StickerWords()
}
