public import StickerValues

/// The source of a category's packs: its manifest with all pages, and the rules of its pictures.
public struct PackSource: Hashable, Sendable {
    /// The category.
    public var category: CategoryID
    /// Its title.
    public var title: String
    /// Its other words.
    public var words: CategoryWords
    /// The picture of the category, a PNG of 96x96 pixels.
    public var tray: PublishedPicture?
    /// Further pictures of the category's own cover in sizes that platforms requested; none without a cover.
    public var icons: [PackIcon] = []
    /// The same of stickers that represent a pack.
    public var stickerIcons: [StickerID: [PackIcon]] = [:]
    /// Its stickers, in order.
    public var stickers: [ManifestSticker]
    /// Its appearance as a group of TUIKit.
    public var faceGroup = StickerSettings.FaceGroup()
    /// Its smart stickers, in order. They are in no pack, as they are soon out of date.
    public var smart: [ManifestSticker] = []
    /// The prefix of picture paths in absolute addresses; `nil` if addresses are relative.
    public var baseURL: String?
    /// The titles of the other categories.
    public var otherTitles: Set<String> = []
    /// The rules of the targets for this category, by name.
    public var targets = Target.builtIn
    /// The names of targets with watermarks of their own, whose files are not interchangeable with others.
    public var targetsOfTheirOwn: Set<String> = []

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
        baseURL = stickers.first.flatMap { PublishedPicture.base(ofURL: $0.imageURL) }
    }

    /// Creates the source from a manifest and its further pages.
    ///
    /// - Parameter pages: the manifest first.
    public init?(pages: [Manifest]) {
        guard let first = pages.first else { return nil }
        let all = pages.flatMap(\.stickers)
        let lasting = all.filter { !$0.isSmart }
        // Without a cover, the tray is that of the first sticker.
        let standsIn = all.first.map { $0.isSmart && $0.trayURL == first.trayURL } ?? false
        let tray = standsIn ? lasting.first?.trayURL : first.trayURL
        self.init(
            category: first.identifier, title: first.title, words: first.words,
            tray: tray.flatMap(PublishedPicture.init(url:)), stickers: lasting)
        smart = all.filter(\.isSmart)
        baseURL = all.first.flatMap { PublishedPicture.base(ofURL: $0.imageURL) }
    }

    /// Whether it has only smart stickers, and so no packs.
    public var isSmart: Bool { stickers.isEmpty && !smart.isEmpty }

    /// The file of a sticker for a platform: the one made for its target, else one made for another target with rules
    /// at least as strict, so that nothing is encoded twice.
    ///
    /// - Parameters:
    ///   - sticker: one of the category.
    ///   - platform: the platform.
    /// - Returns: the file; `nil` if there is none.
    public func picture(of sticker: ManifestSticker, for platform: PackPlatform) -> PackPicture? {
        let made = sticker.files.filter { $0.role == .sticker || $0.role == .rendition }
        guard let target = platform.target else {
            // The first target of a category may have a format that every consumer shows; then it has no companion.
            let own = made.first { $0.role == .sticker && $0.format != .webp }
            return (sticker.files.first { $0.role == .companion } ?? own).map(PackPicture.init)
        }
        let other = made.first { file in
            guard let wanted = targets[target], let name = file.target, let own = targets[name],
                targetsOfTheirOwn.isDisjoint(with: [target, name])
            else { return false }
            return own.covers(wanted, moves: file.frames ?? 1 > 1)
        }
        return (made.first { $0.target == target } ?? other).map(PackPicture.init)
    }

    /// The picture of a part, a PNG of 96x96 pixels: the cover, else the part's own first sticker, so that it depends
    /// on no sticker of another part.
    func tray(of members: Set<StickerID>) -> PublishedPicture? {
        guard let tray, !hasCover else { return tray }
        return stickers.first { members.contains($0.identifier) }?.tray ?? tray
    }

    /// Further pictures of a part: those of the cover, else of the part's own first sticker.
    func icons(of members: Set<StickerID>) -> [PackIcon] {
        guard !hasCover, let first = stickers.first(where: { members.contains($0.identifier) })
        else { return icons }
        return stickerIcons[first.identifier] ?? []
    }

    /// Whether the category has a cover; otherwise its first sticker represents it.
    public var hasCover: Bool { tray != nil && tray != stickers.first?.tray }

    /// The stickers for the packs of a platform, in order.
    ///
    /// - Parameter platform: the platform.
    /// - Returns: those with a picture for it.
    public func stickers(for platform: PackPlatform) -> [PackSticker] {
        stickers.compactMap { sticker in
            picture(of: sticker, for: platform).map { PackSticker(sticker, $0) }
        }
    }
}

extension ManifestSticker {
    fileprivate var tray: PublishedPicture? {
        files.first { $0.role == .tray }
            .map { PublishedPicture(sha256: $0.sha256, format: $0.format) }
    }
}

/// A published picture, named by its content.
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

    /// The picture of a URL in a manifest; `nil` if it has none.
    public init?(url: String) {
        let name = url.split(separator: "/").last?.split(separator: ".") ?? []
        guard name.count == 2, name[0].count == 64, let format = ImageFormat(rawValue: "\(name[1])")
        else { return nil }
        self.init(sha256: ContentHash(rawValue: String(name[0])), format: format)
    }

    /// The prefix of a picture's path in its absolute address; `nil` if the address is relative.
    static func base(ofURL url: String) -> String? {
        guard url.hasPrefix("http://") || url.hasPrefix("https://"), let picture = Self(url: url),
            url.hasSuffix(picture.path)
        else { return nil }
        return String(url.dropLast(picture.path.count))
    }

    /// Its path below `out`.
    public var path: String {
        "_/\(sha256.rawValue.prefix(2))/\(sha256.rawValue).\(format.fileExtension)"
    }
}

extension ManifestSticker {
    fileprivate var isSmart: Bool { FileName.isTemplate(Array(source.name.utf8)) }

    fileprivate var trayURL: String? { files.first { $0.role == .tray }?.url }
}
