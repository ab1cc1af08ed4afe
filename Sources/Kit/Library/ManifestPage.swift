public import Foundation

/// A page of a category's manifest: up to 5,000 stickers.
public struct ManifestPage: Hashable, Sendable {
    /// The category, with the stickers of this page.
    public var category: StickerCategory
    /// The address of the next page; `nil` on the last one.
    public var next: URL?
}

extension ManifestPage {
    /// A page in JSON.
    private struct Wire: Decodable {
        var generation: Int
        var identifier: String
        var title: String
        var description: String?
        var publisher: String?
        var licence: String?
        var links: [String: String]?
        var imageURL: String?
        var trayURL: String?
        var stickers: [ManifestEntry]
        var nextURL: String?
    }

    init(_ data: Data, from url: URL) throws(StickerError) {
        let wire = try VersionedReading.read(Wire.self, data, from: url)
        var stickers: [Sticker] = []
        stickers.reserveCapacity(wire.stickers.count)
        for entry in wire.stickers {
            stickers.append(try entry.sticker(in: wire.identifier, on: url))
        }
        category = StickerCategory(
            identifier: wire.identifier, title: wire.title,
            imageURL: try WireReading.address(ifAny: wire.imageURL, on: url), stickers: stickers)
        category.trayURL = try WireReading.address(ifAny: wire.trayURL, on: url)
        category.description = wire.description
        category.publisher = wire.publisher
        category.licence = wire.licence
        category.links = wire.links ?? [:]
        category.generation = wire.generation
        next = VersionedReading.page(wire.nextURL, after: url)
    }
}
