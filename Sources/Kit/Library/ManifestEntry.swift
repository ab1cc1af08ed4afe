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

    /// The sticker, with addresses relative to the page.
    func sticker(in category: String, on page: URL) throws(StickerError) -> Sticker {
        var details = StickerDetails()
        details.companionURL = try WireReading.address(ifAny: companionURL, on: page)
        details.title = title
        details.category = category
        details.isAnimated = animated
        details.emojis = emojis
        details.keywords = keywords ?? []
        details.accessibilityText = accessibilityText
        details.rating = rating
        details.tintMode = tintMode ?? .none
        details.isPinned = pinned ?? false
        details.publisher = publisher
        details.licence = licence
        details.publishedAt = publishedAt
        details.changedAt = changedAt
        for file in files { details.files.append(try file.file(on: page)) }
        return Sticker(
            imageURL: try WireReading.address(imageURL, on: page),
            thumbnailURL: try WireReading.address(ifAny: thumbnailURL, on: page),
            identifier: identifier, details: details)
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
