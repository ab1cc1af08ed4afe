public import StickerValues

/// One pack: a part of a category with all data for a platform.
public struct Pack: Hashable, Sendable, Codable {
    /// Its id, unique among all packs of a library for a platform: category ids have no hyphens.
    public var identifier: String
    /// The category that it is a part of.
    public var category: CategoryID
    /// Its title.
    public var title: String
    /// Whether another category has that title.
    public var sharesTitle: Bool
    /// Its description.
    public var description: String?
    /// Its author.
    public var publisher: String?
    /// Its licence.
    public var licence: String?
    /// Where to find more.
    public var links: Links
    /// The common property of its stickers.
    public var kind: PartKind
    /// Its picture, a PNG of 96x96 pixels.
    public var tray: PublishedPicture?
    /// Its icons, in the sizes that the platform requires.
    public var icons: [PackIcon]
    /// The prefix of picture paths in absolute addresses; `nil` if addresses are relative.
    public var baseURL: String?
    /// Raised whenever anything else of the pack changes.
    public var version: Int
    /// Its place in the library, from 1 without gaps, on platforms with permanent places; otherwise 0.
    public var place: Int
    /// Its appearance as a group of TUIKit; absent on other platforms.
    public var faceGroup: StickerSettings.FaceGroup?
    /// Its stickers, in order.
    public var stickers: [PackSticker]

    /// Makes the pack of a part.
    ///
    /// - Parameters:
    ///   - part: the stickers.
    ///   - source: the category.
    ///   - platform: its specific words take precedence.
    ///   - version: its version.
    ///   - place: its place in the library.
    public init(
        _ part: Part, of source: PackSource, for platform: some PackMaking, version: Int = 1,
        place: Int = 0
    ) {
        let own = source.words.packs?[platform.platform]
        let suffix = PackSuffix(part)
        identifier = suffix.identifier(of: source.category)
        category = source.category
        title = suffix.title(own?.title ?? source.title)
        sharesTitle = source.otherTitles.contains(title)
        description = own?.description ?? source.words.description
        publisher = own?.publisher ?? source.words.publisher
        licence = source.words.licence
        links = source.words.links ?? Links()
        kind = part.kind
        baseURL = source.baseURL
        faceGroup = platform.platform == .tuikit ? source.faceGroup : nil
        self.version = version
        self.place = place
        let members = Set(part.stickers)
        stickers = source.stickers(for: platform.platform).filter {
            members.contains($0.identifier)
        }
        tray = source.tray(of: members)
        icons = source.icons(of: members).filter { platform.icons.contains($0.size) }
    }

    /// Every picture that may be in its files.
    public var pictures: [PublishedPicture] {
        stickers.flatMap { [$0.picture.published] + ($0.thumbnail.map { [$0] } ?? []) }
            + icons.map(\.picture) + (tray.map { [$0] } ?? [])
    }

    /// The icon of a size; `nil` if there is none yet.
    public func icon(_ width: Int, _ height: Int) -> PublishedPicture? {
        icons.first { $0.size == PixelSize(width: width, height: height) }?.picture
    }
}
