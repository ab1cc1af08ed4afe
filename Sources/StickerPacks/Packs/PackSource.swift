public import StickerModel

/// What the packs of a category are made of: its manifest, all pages together.
public struct PackSource: Hashable, Sendable {
    /// The category.
    public var category: CategoryID
    /// Its name for people.
    public var title: String
    /// What else is said about it.
    public var words: CategoryWords
    /// The picture of the category, a PNG of 96x96 pixels.
    public var tray: PublishedPicture?
    /// Its stickers, in order.
    public var stickers: [ManifestSticker]

    /// Creates the source of a category; see the properties.
    public init(
        category: CategoryID, title: String, words: CategoryWords = CategoryWords(),
        tray: PublishedPicture? = nil, stickers: [ManifestSticker]
    ) {
        self.category = category
        self.title = title
        self.words = words
        self.tray = tray
        self.stickers = stickers
    }

    /// Takes a manifest and the pages behind it.
    ///
    /// - Parameter pages: the manifest first.
    public init?(pages: [Manifest]) {
        guard let first = pages.first else { return nil }
        self.init(
            category: first.identifier, title: first.title, words: first.words,
            tray: first.trayURL.flatMap(PublishedPicture.init(url:)),
            stickers: pages.flatMap(\.stickers))
    }
}

/// A picture in the published tree, named by its content.
public struct PublishedPicture: Hashable, Sendable, Codable {
    /// The hash of its bytes.
    public var sha256: ContentHash
    /// Its format.
    public var format: ImageFormat

    /// Names a picture.
    public init(sha256: ContentHash, format: ImageFormat) {
        self.sha256 = sha256
        self.format = format
    }

    /// The picture of a sticker.
    public init(_ file: ManifestSticker.File) {
        self.init(sha256: file.sha256, format: file.format)
    }

    /// The picture that a URL in a manifest names; `nil` if it names none.
    public init?(url: String) {
        let name = url.split(separator: "/").last?.split(separator: ".") ?? []
        guard name.count == 2, name[0].count == 64, let format = ImageFormat(rawValue: "\(name[1])")
        else { return nil }
        self.init(sha256: ContentHash(rawValue: String(name[0])), format: format)
    }

    /// Its path below `out`.
    public var path: String {
        "_/\(sha256.rawValue.prefix(2))/\(sha256.rawValue).\(format.fileExtension)"
    }
}
