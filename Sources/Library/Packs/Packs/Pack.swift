public import StickerModel

/// One pack: a part of a category with everything that a platform is told about it.
public struct Pack: Hashable, Sendable, Codable {
    /// Its id, unique among all packs of a library for a platform: category ids have no hyphens.
    public var identifier: String
    /// The category that it is a part of.
    public var category: CategoryID
    /// Its name for people.
    public var title: String
    /// Whether another category has that name.
    public var sharesTitle: Bool
    /// What it is about.
    public var description: String?
    /// Who made it.
    public var publisher: String?
    /// Under which terms.
    public var licence: String?
    /// Where to find more.
    public var links: Links
    /// What its stickers have in common.
    public var kind: PartKind
    /// Its picture, a PNG of 96x96 pixels.
    public var tray: PublishedPicture?
    /// Further pictures of it, those for which the platform asks.
    public var icons: [PackIcon]
    /// What is prefixed to the path of a picture to get its address; `nil` if addresses are relative.
    public var baseURL: String?
    /// Raised whenever anything else of the pack changes.
    public var version: Int
    /// Its place in the library, from 1 without gaps, on platforms where a place is for ever; otherwise 0.
    public var place: Int
    /// How it is shown as a group of TUIKit; absent on other platforms.
    public var faceGroup: StickerSettings.FaceGroup?
    /// Its stickers, in order.
    public var stickers: [PackSticker]

    /// Makes the pack of a part.
    ///
    /// - Parameters:
    ///   - part: which stickers.
    ///   - source: the category.
    ///   - platform: whose own words come first.
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
