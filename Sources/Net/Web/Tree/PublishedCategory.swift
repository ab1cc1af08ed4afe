import FoundationEssentials
import StickerValues

/// A category as it is served: the parts of its manifest that clients need.
struct PublishedCategory: Hashable, Sendable, Decodable {
    var identifier: CategoryID
    /// The name for people.
    var title: String
    /// Its description; absent if there is none, like the two that follow.
    var description: String?
    /// Its author.
    var publisher: String?
    /// Its terms.
    var licence: String?
    /// Counts up with every published change.
    var generation: Int
    /// A preview.
    var imageURL: String?
    /// The 96x96 PNG that represents it.
    var trayURL: String?
    /// The state of its packs; absent if there are none.
    var readiness: [PackPlatform: Readiness]?
    /// Its stickers, in order.
    var stickers: [PublishedSticker]
    /// The next page of its stickers; `nil` once all have been read.
    var nextURL: String?
}

/// A sticker as it is served. A slim view of `ManifestSticker`, which takes twice the time to read.
struct PublishedSticker: Hashable, Sendable, Decodable {
    /// One file of the sticker.
    struct File: Hashable, Sendable, Decodable {
        var role: StickerFile.Role
        var format: ImageFormat
        var url: String
        var width: Int
        var height: Int
        var bytes: Int
        var frames: Int?
    }

    /// The sticker in another style.
    struct Variant: Hashable, Sendable, Decodable {
        var style: String
        var imageURL: String
        var companionURL: String?
    }

    /// The file it was made from.
    struct Source: Hashable, Sendable, Decodable {
        var name: String
    }

    var identifier: StickerID
    var title: String
    var emojis: [String]
    var keywords: [String]?
    var accessibilityText: String?
    var pinned: Bool?
    var rating: Rating?
    var tintMode: TintMode?
    var animated: Bool
    var imageURL: String
    var thumbnailURL: String?
    var files: [File]
    /// Its style; absent if there is no other, like `variants`.
    var style: String?
    var variants: [Variant]?
    var source: Source?
    /// In ISO 8601; absent in manifests of release 0.4.
    var publishedAt: String?
    /// The same for its last change, including a change of category.
    var changedAt: String?

    /// Whether its picture changes by itself.
    var isSmart: Bool { source.map { FileName.isTemplate(Array($0.name.utf8)) } ?? false }

    /// The picture for editors without WebP: the companion, else any other PNG or GIF of its kind.
    var companion: File? {
        func first(_ role: StickerFile.Role) -> File? {
            files.first { file in
                file.role == role && file.format != .webp && (file.frames ?? 1 > 1) == animated
            }
        }
        return first(.companion) ?? first(.sticker) ?? first(.rendition)
    }
}
