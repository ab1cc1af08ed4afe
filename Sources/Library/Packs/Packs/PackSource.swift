public import StickerModel

/// What the packs of a category are made of: its manifest, all pages together, and the rules of its pictures.
public struct PackSource: Hashable, Sendable {
    /// The category.
    public var category: CategoryID
    /// Its name for people.
    public var title: String
    /// What else is said about it.
    public var words: CategoryWords
    /// The picture of the category, a PNG of 96x96 pixels.
    public var tray: PublishedPicture?
    /// Further pictures of the category's own cover, as far as platforms asked for them; of one without a cover, none.
    public var icons: [PackIcon] = []
    /// The same of stickers that stand for a pack.
    public var stickerIcons: [StickerID: [PackIcon]] = [:]
    /// Its stickers, in order.
    public var stickers: [ManifestSticker]
    /// How it is shown as a group of TUIKit.
    public var faceGroup = StickerSettings.FaceGroup()
    /// Its smart stickers, in order, which are in no pack: what they show is soon out of date.
    public var smart: [ManifestSticker] = []
    /// What is prefixed to the path of a picture to get its address; `nil` if addresses are relative.
    public var baseURL: String?
    /// The names of the other categories of the library.
    public var otherTitles: Set<String> = []
    /// The rules of the targets, by name, as they hold for this category.
    public var targets = Target.builtIn
    /// The names of targets of which each wears marks of its own, so that none gets what was made for another.
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

    /// Takes a manifest and the pages behind it.
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

    /// Whether it has smart stickers and no others: packs are not for it.
    public var isSmart: Bool { stickers.isEmpty && !smart.isEmpty }

    /// The file of a sticker that a platform gets: the one made for its target, else one made for another whose rules
    /// are at least as strict, so that nothing is encoded twice.
    ///
    /// - Parameters:
    ///   - sticker: one of the category.
    ///   - platform: the platform.
    /// - Returns: the file; `nil` if there is none.
    public func picture(of sticker: ManifestSticker, for platform: PackPlatform) -> PackPicture? {
        let made = sticker.files.filter { $0.role == .sticker || $0.role == .rendition }
        guard let target = platform.target else {
            // The first target of a category may be something that every consumer shows; then it has no companion.
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

    /// The picture of a part, a PNG of 96x96 pixels: the cover, and without one the part's own first sticker, so that it
    /// depends on no sticker of another part.
    func tray(of members: Set<StickerID>) -> PublishedPicture? {
        guard let tray, !hasCover else { return tray }
        return stickers.first { members.contains($0.identifier) }?.tray ?? tray
    }

    /// Further pictures of a part: those of the cover, and without one, those of the part's own first sticker.
    func icons(of members: Set<StickerID>) -> [PackIcon] {
        guard !hasCover, let first = stickers.first(where: { members.contains($0.identifier) })
        else { return icons }
        return stickerIcons[first.identifier] ?? []
    }

    /// Whether the category has a picture of its own; otherwise its first sticker stands for it.
    public var hasCover: Bool { tray != nil && tray != stickers.first?.tray }

    /// The stickers that packs for a platform can hold, in order.
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

    /// The picture that a URL in a manifest names; `nil` if it names none.
    public init?(url: String) {
        let name = url.split(separator: "/").last?.split(separator: ".") ?? []
        guard name.count == 2, name[0].count == 64, let format = ImageFormat(rawValue: "\(name[1])")
        else { return nil }
        self.init(sha256: ContentHash(rawValue: String(name[0])), format: format)
    }

    /// What stands before the path of a picture in its absolute address; `nil` if the address is relative.
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
