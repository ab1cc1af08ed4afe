public import StickerModel

/// One pack: a part of a category with everything that a platform is told about it.
public struct Pack: Hashable, Sendable, Codable {
    /// Its id, unique among all packs of a library for a platform: category ids have no hyphens.
    public var identifier: String
    /// Its name for people.
    public var title: String
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
    /// Raised whenever anything else of the pack changes.
    public var version: Int
    /// Its stickers, in order.
    public var stickers: [ManifestSticker]

    /// Makes the pack of a part.
    ///
    /// - Parameters:
    ///   - part: which stickers.
    ///   - source: the category.
    ///   - platform: whose own words come first.
    ///   - version: its version.
    public init(_ part: Part, of source: PackSource, for platform: PackPlatform, version: Int = 1) {
        let own = source.words.packs?[platform]
        let suffixes = [
            part.kind == .moving ? "animated" : nil, part.number > 1 ? "\(part.number)" : nil,
        ].compactMap(\.self)
        identifier = ([source.category.rawValue] + suffixes).joined(separator: "-")
        title = ([own?.title ?? source.title] + suffixes).joined(separator: " ")
        description = own?.description ?? source.words.description
        publisher = own?.publisher ?? source.words.publisher
        licence = source.words.licence
        links = source.words.links ?? Links()
        kind = part.kind
        tray = source.tray
        self.version = version
        let members = Set(part.stickers)
        stickers = source.stickers.filter { members.contains($0.identifier) }
    }
}
