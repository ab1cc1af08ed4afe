public import StickerModel

/// A pack as a tree describes it; no picture of it was looked at yet.
public struct ImportedPack: Hashable, Sendable {
    /// The form in which it was handed over, in words: `WhatsApp, iOS`.
    public var form: String
    /// The platform for which it is; `nil` if nothing says that.
    public var platform: PackPlatform?
    /// The path of the description that lists its stickers; `nil` if there is none.
    public var list: String?
    /// What it is called.
    public var name: String
    /// What is said about it.
    public var words = CategoryWords()
    /// The path of the picture that stands for it.
    public var cover: String?
    /// Its stickers.
    public var stickers: [ImportedSticker] = []
    /// Whether somebody has put them in order; otherwise their names do.
    public var isOrdered = false
    /// Faults of the description that the platform would refuse and that an import does not keep.
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
    /// What is said about it.
    public var words: StickerWords

    /// Creates a sticker.
    public init(path: String, name: String, words: StickerWords = StickerWords()) {
        self.path = path
        self.name = name
        self.words = words
    }
}
