import FoundationEssentials
import StickerHTTP
import StickerValues

/// A sticker with its files, from the index. For answers much larger than their data; the other answers are stored in
/// the index, complete except for the address.
struct FoundSticker: Hashable, Sendable {
    /// A file of the sticker.
    struct Picture: Hashable, Sendable {
        var url: String
        var format: ImageFormat
        var width: Int
        var height: Int
        var bytes: Int
        /// 1 for a still.
        var frames: Int
    }

    /// The sticker in another style.
    struct Variant: Hashable, Sendable, Decodable {
        var style: String
        /// A PNG or GIF, or WebP if there is neither.
        var url: String
    }

    var identifier: StickerID
    var title: String
    /// The text for screen readers.
    var text: String?
    /// For whom it is fit.
    var rating: Rating
    /// Search words.
    var keywords: [String]
    var publishedAt: String?
    var animated: Bool
    /// A small still.
    var thumbnail: String
    /// How it may be tinted.
    var tintMode: TintMode?
    /// Whether its picture changes by itself.
    var isSmart: Bool
    var variants: [Variant]
    /// The original first.
    var pictures: [Picture]
}

extension FoundSticker {
    /// Addresses in other members are not repeated.
    private enum Known: String, CaseIterable {
        case url, webp, thumbnail
    }

    /// The members about files in the index, in JSON.
    ///
    /// - Parameters:
    ///   - sticker: the sticker.
    ///   - still: the value of `url`.
    ///   - address: returns the public address of a file.
    /// - Returns: `publishedAt` and `pictures`.
    static func facts(
        of sticker: PublishedSticker, still: String, _ address: (String) -> String
    ) -> [UInt8] {
        let original = sticker.original
        var json = JSONWriter()
        if let date = sticker.publishedAt { json.text("publishedAt", date) }
        json.list("pictures") { json in
            for file in [original].compactMap(\.self) + sticker.files.filter({ $0 != original })
            where file == original || file.isAlternative(to: original) {
                let known: Known? =
                    switch file.url {
                    case still: .url
                    case sticker.imageURL: .webp
                    case sticker.thumbnailURL: .thumbnail
                    default: nil
                    }
                json.row { json in
                    json.element(known?.rawValue ?? address(file.url))
                    json.element(file.format.rawValue)
                    for number in [file.width, file.height, file.bytes, file.frames ?? 1] {
                        json.element(number)
                    }
                }
            }
        }
        return json.bytes
    }

    /// Reads stickers of the index.
    ///
    /// - Throws: a decoding error.
    static func read(_ bodies: [[UInt8]]) throws -> [FoundSticker] {
        let list =
            [UInt8(ascii: "[")] + bodies.joined(separator: [UInt8(ascii: ",")])
            + [UInt8(ascii: "]")]
        return try JSONDecoder().decode([FoundSticker].self, from: Data(list))
    }
}

extension FoundSticker: Decodable {
    private enum CodingKeys: String, CodingKey {
        case id, title, accessibilityText, rating, keywords, publishedAt, animated, pictures
        case url, webp, thumbnail, tintMode, smart, variants
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        identifier = try members.decode(StickerID.self, forKey: .id)
        title = try members.decode(String.self, forKey: .title)
        text = try members.decodeIfPresent(String.self, forKey: .accessibilityText)
        rating = try members.decodeIfPresent(Rating.self, forKey: .rating) ?? .unsaid
        keywords = try members.decodeIfPresent([String].self, forKey: .keywords) ?? []
        publishedAt = try members.decodeIfPresent(String.self, forKey: .publishedAt)
        animated = try members.decode(Bool.self, forKey: .animated)
        thumbnail = try members.decode(String.self, forKey: .thumbnail)
        tintMode = try members.decodeIfPresent(TintMode.self, forKey: .tintMode)
        isSmart = try members.decodeIfPresent(Bool.self, forKey: .smart) ?? false
        variants = try members.decodeIfPresent([Variant].self, forKey: .variants) ?? []
        pictures = try members.decode([Picture].self, forKey: .pictures)
        for index in pictures.indices {
            switch Known(rawValue: pictures[index].url) {
            case .url: pictures[index].url = try members.decode(String.self, forKey: .url)
            case .webp: pictures[index].url = try members.decode(String.self, forKey: .webp)
            case .thumbnail: pictures[index].url = thumbnail
            case nil: break
            }
        }
    }
}

extension FoundSticker.Picture: Decodable {
    init(from decoder: any Decoder) throws {
        var row = try decoder.unkeyedContainer()
        url = try row.decode(String.self)
        format = try row.decode(ImageFormat.self)
        width = try row.decode(Int.self)
        height = try row.decode(Int.self)
        bytes = try row.decode(Int.self)
        frames = try row.decode(Int.self)
    }
}

extension Rating {
    /// The rating of unrated stickers, which are for everybody.
    static let unsaid = Rating.general
}

extension PublishedSticker {
    /// The original picture, as PNG or GIF if there is one.
    fileprivate var original: File? {
        files.first { $0.role == .companion } ?? files.first { $0.role == .sticker }
    }
}

extension PublishedSticker.File {
    private static let sideMin = 100

    /// Whether it may replace another one. Few programs show more than the first frame of an APNG, and a picture of
    /// another shape is for another platform; a side may differ by a pixel of rounding.
    fileprivate func isAlternative(to other: PublishedSticker.File?) -> Bool {
        guard let other, max(width, height) >= Self.sideMin else { return false }
        return !(format == .png && frames ?? 1 > 1)
            && abs(width * other.height - height * other.width) <= max(other.width, other.height)
    }
}
