import Foundation

/// A sticker in the answers of a provider.
struct ProviderImage: Decodable {
    /// The answer to a search.
    private struct Answer: Decodable {
        var images: [ProviderImage]
        var hasMore: Bool?

        enum CodingKeys: String, CodingKey {
            case images
            case hasMore = "has_more"
        }
    }

    var id: String
    var url: String
    var thumbnail: String
    var title: String?
    var category: String?
    var animated: Bool?
    var emojis: [String]?
    var keywords: [String]?
    var pinned: Bool?
    var accessibilityText: String?
    var rating: Sticker.Rating?
    var tintMode: Sticker.TintMode?

    static func list(_ data: Data, from url: URL) throws(StickerError) -> StickerProviderResult {
        let answer = try WireReading.read(Answer.self, data, from: url)
        var stickers: [Sticker] = []
        for image in answer.images { stickers.append(try image.sticker(from: url)) }
        return StickerProviderResult(stickers: stickers, hasMore: answer.hasMore ?? false)
    }

    static func sticker(_ data: Data, from url: URL) throws(StickerError) -> Sticker {
        try WireReading.read(Self.self, data, from: url).sticker(from: url)
    }

    private func sticker(from page: URL) throws(StickerError) -> Sticker {
        var details = StickerDetails()
        details.title = title
        details.category = category
        details.isAnimated = animated ?? false
        details.emojis = emojis ?? []
        details.keywords = keywords ?? []
        details.isPinned = pinned ?? false
        details.accessibilityText = accessibilityText
        details.rating = rating
        details.tintMode = tintMode ?? .none
        return Sticker(
            imageURL: try WireReading.address(url, on: page),
            thumbnailURL: try WireReading.address(thumbnail, on: page), identifier: id,
            details: details)
    }
}
