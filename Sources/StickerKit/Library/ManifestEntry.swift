import Foundation

/// A sticker in a manifest.
struct ManifestEntry: Decodable {
    struct File: Decodable {
        var role: StickerFile.Role
        var target: String?
        var format: String
        var url: String
        var width: Int
        var height: Int
        var bytes: Int
        var sha256: String
        var frames: Int?
        var durationMilliseconds: Int?
    }

    var identifier: String
    var title: String
    var emojis: [String]
    var keywords: [String]?
    var accessibilityText: String?
    var pinned: Bool?
    var rating: Sticker.Rating?
    var tintMode: Sticker.TintMode?
    var publisher: String?
    var licence: String?
    var animated: Bool
    var imageURL: String
    var companionURL: String?
    var thumbnailURL: String?
    var files: [File]
    var publishedAt: Date?
    var changedAt: Date?

    /// The sticker, with addresses as seen from the page.
    func sticker(in category: String, on page: URL) throws(StickerError) -> Sticker {
        var sticker = Sticker(
            imageURL: try WireReading.address(imageURL, on: page),
            thumbnailURL: try WireReading.address(ifAny: thumbnailURL, on: page),
            identifier: identifier)
        sticker.companionURL = try WireReading.address(ifAny: companionURL, on: page)
        sticker.title = title
        sticker.category = category
        sticker.isAnimated = animated
        sticker.emojis = emojis
        sticker.keywords = keywords ?? []
        sticker.accessibilityText = accessibilityText
        sticker.rating = rating
        sticker.tintMode = tintMode ?? .none
        sticker.isPinned = pinned ?? false
        sticker.publisher = publisher
        sticker.licence = licence
        sticker.publishedAt = publishedAt
        sticker.changedAt = changedAt
        for file in files { sticker.files.append(try file.file(on: page)) }
        return sticker
    }
}

extension ManifestEntry.File {
    fileprivate func file(on page: URL) throws(StickerError) -> StickerFile {
        StickerFile(
            role: role, target: target, format: format, url: try WireReading.address(url, on: page),
            width: width, height: height, bytes: bytes, sha256: sha256, frames: frames,
            durationMilliseconds: durationMilliseconds)
    }
}
