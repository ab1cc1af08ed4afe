import StickerValues

extension Pack {
    /// A foreign pack by its description.
    ///
    /// - Parameters:
    ///   - imported: the description.
    ///   - stickers: those with readable pictures.
    ///   - icons: the pictures of the pack itself that have the size the platform requires.
    ///   - platform: the platform.
    init(
        _ imported: ImportedPack, _ stickers: [PackSticker], icons: [PackIcon],
        for platform: some PackMaking
    ) {
        identifier = imported.name
        category = CategoryID(rawValue: imported.name)
        title = imported.words.title ?? ""
        sharesTitle = false
        description = imported.words.description
        publisher = imported.words.publisher
        licence = imported.words.licence
        links = imported.words.links ?? Links()
        // If stills and animations need separate packs, the majority decides.
        let moving = stickers.count(where: \.picture.moves)
        kind =
            !platform.rules.dividesMoving ? .all : 2 * moving > stickers.count ? .moving : .still
        tray = imported.cover.map { _ in .unpublished }
        self.icons = icons
        baseURL = nil
        version = 1
        place = 1
        self.stickers = stickers
    }
}

extension PublishedPicture {
    /// Stands for an unpublished picture.
    static let unpublished = PublishedPicture(sha256: ContentHash(rawValue: ""), format: .png)
}

extension PackSticker {
    /// A foreign sticker by its description.
    init(_ imported: ImportedSticker, _ picture: PackPicture) {
        identifier = StickerID(rawValue: imported.shortcode ?? imported.name)
        title = imported.words.title ?? imported.name
        emojis = imported.words.emojis ?? []
        keywords = imported.words.keywords ?? []
        accessibilityText = imported.words.accessibilityText
        source = imported.path
        self.picture = picture
    }
}

extension PackPicture {
    /// The facts in the headers of a file.
    init(_ file: PictureFile, _ format: ImageFormat, bytes: Int) {
        sha256 = PublishedPicture.unpublished.sha256
        self.format = format
        (width, height) = (file.size.width, file.size.height)
        self.bytes = bytes
        guard file.moves else { return }
        frames = file.frames
        durationMilliseconds = file.frameMilliseconds?.reduce(0, +)
    }
}
