import StickerConfiguration
import StickerValues

/// https://developers.giphy.com/docs/api/endpoint
struct GiphyService: UpstreamService {
    /// The most that a trial key gives.
    static let pageSize = 50
    /// The last offset answered for trending stickers; that of a search is higher.
    private static let offsetMax = 499

    /// Large ones first.
    private static let pictures = [
        "original", "downsized_large", "downsized_medium", "downsized", "fixed_width",
        "fixed_height",
    ]
    /// Stills first, of those the smallest that is sharp on a phone.
    private static let thumbnails = [
        "fixed_width_still", "fixed_height_still", "downsized_still", "fixed_width_small_still",
        "fixed_height_small_still", "original_still", "fixed_width_small", "fixed_height_small",
        "preview_gif", "fixed_width_downsampled", "fixed_height_downsampled", "fixed_width",
        "fixed_height", "downsized", "original",
    ]

    private let base: String
    private let language: String
    private let rating: Rating
    private let hosts: PictureHosts

    /// Creates the service that a category is configured to ask.
    init(_ upstream: UpstreamConfiguration) {
        (base, language, rating) = (upstream.url, upstream.language, upstream.rating)
        hosts = PictureHosts(upstream.imageHosts)
    }

    let wordsMax = 50

    /// The rating is part of the question: otherwise pages would be full of stickers to be left out.
    func question(_ text: String, upTo ceiling: Rating) -> UpstreamQuestion {
        UpstreamQuestion(text, upTo: rating.capped(at: ceiling))
    }

    func address(
        of question: UpstreamQuestion, from offset: Int, key: String?
    ) -> String {
        let list = "limit=\(Self.pageSize)&offset=\(offset)&rating=\(question.rating.rawValue)"
        let verb =
            question.words.isEmpty
            ? "trending?api_key=\(key ?? "")&"
            : "search?api_key=\(key ?? "")&q=\(question.words.inQuery)&lang=\(language)&"
        return "\(base)/\(verb)\(list)"
    }

    func page(
        in body: [UInt8], to question: UpstreamQuestion, from offset: Int, key: String?
    ) throws(UpstreamFault) -> UpstreamPage {
        let answer = try JSONValue.object(in: body)
        if let status = answer["meta"]?["status"]?.asWhole, status != 200 {
            throw .status(status)
        }
        guard case .array(let entries)? = answer["data"] else {
            throw UpstreamFault(.unreadable, "its answer has no list data")
        }
        var page = try page(of: entries, most: Self.pageSize, key: key) {
            entry throws(LeftOut) in try sticker(entry, upTo: question.rating)
        }
        let next = offset + min(entries.count, Self.pageSize)
        let isFull = entries.count >= Self.pageSize
        let hasMore = answer["pagination"]?["total_count"]?.asWhole.map { next < $0 } ?? isFull
        page.next = hasMore && !entries.isEmpty && next <= Self.offsetMax ? next : nil
        return page
    }

    private func sticker(
        _ entry: AnswerEntry, upTo ceiling: Rating
    ) throws(LeftOut) -> UpstreamSticker {
        let identifier = try entry.identifier()
        let rating = try entry.rating(upTo: ceiling) ?? ceiling
        guard let images = entry["images"], case .object = images else { throw .shape }
        let (name, url) = try first(of: Self.pictures, .sticker, in: images)
        var sticker = UpstreamSticker(
            identifier: identifier, url: url,
            thumbnail: try first(of: Self.thumbnails, .thumbnail, in: images).url)
        // A picture as good may be missing.
        sticker.webp = try? hosts.address(images[name]?["webp"], of: .webP)
        sticker.title = entry.text("title")
        let text = entry.text("alt_text")
        sticker.text = text.isEmpty ? nil : text
        sticker.keywords = entry.texts("tags")
        sticker.rating = rating
        sticker.animated = images[name]?["frames"]?.asWhole != 1
        return sticker
    }

    /// The first rendition with a usable address, and with a size if it names one.
    private func first(
        of names: [String], _ kind: PictureKind, in images: JSONValue
    ) throws(LeftOut) -> (name: String, url: String) {
        var reason = LeftOut.shape
        for name in names {
            guard let picture = images[name], Self.hasSize(picture) else { continue }
            do throws(LeftOut) {
                return (name, try hosts.address(picture["url"], of: kind))
            } catch {
                if error != .shape { reason = error }
            }
        }
        throw reason
    }

    /// Missing and non-numeric sizes occur; an empty picture is not usable.
    private static func hasSize(_ picture: JSONValue) -> Bool {
        ["width", "height"].allSatisfy { side in
            guard let value = picture[side], value != .null else { return true }
            return value.asWhole.map { $0 > 0 } ?? false
        }
    }
}
