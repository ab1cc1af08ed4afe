import StickerConfiguration
import StickerValues

/// A server for apps' sticker providers, such as `stickerd-web`.
/// Requests are those of the sample provider, with further pages only if it announces them.
struct ProviderService: UpstreamService {
    /// The most stickers of an answer.
    static let pageSize = 1000
    /// The last offset requested: a provider may claim endlessly that it has more. It is that of GIPHY's searches.
    static let offsetMax = 4999

    private let base: String
    private let rating: Rating
    private let passesUnrated: Bool
    private let hosts: PictureHosts

    /// Creates the service that a category is configured to ask.
    init(_ upstream: UpstreamConfiguration) {
        (base, rating) = (upstream.url, upstream.rating)
        passesUnrated = upstream.passesUnrated
        hosts = PictureHosts(upstream.imageHosts)
    }

    let wordsMax = 200

    /// The sample sends no rating, so that one answer serves clients of all ratings.
    func question(_ text: String, upTo ceiling: Rating) -> UpstreamQuestion {
        UpstreamQuestion(text, upTo: rating)
    }

    func address(
        of question: UpstreamQuestion, from offset: Int, key: String?
    ) -> String {
        let members = [
            key.map { "api_key=\($0)" },
            question.words.isEmpty ? nil : "q=\(question.words.inQuery)",
            offset == 0 ? nil : "offset=\(offset)",
        ].compactMap(\.self)
        let verb = question.words.isEmpty ? "trending" : "search"
        return "\(base)/\(verb)" + (members.isEmpty ? "" : "?" + members.joined(separator: "&"))
    }

    func page(
        in body: [UInt8], to question: UpstreamQuestion, from offset: Int, key: String?
    ) throws(UpstreamFault) -> UpstreamPage {
        let answer = try JSONValue.object(in: body)
        guard case .array(let entries)? = answer["images"] else {
            throw UpstreamFault(.unreadable, "its answer has no list images")
        }
        var page = try page(of: entries, most: Self.pageSize, key: key) {
            entry throws(LeftOut) in try sticker(entry)
        }
        let isFull = entries.count >= Self.pageSize
        let next = offset + min(entries.count, Self.pageSize)
        if answer["has_more"] == .bool(true) || isFull && answer["has_more"] == nil,
            !entries.isEmpty, next <= Self.offsetMax
        {
            page.next = next
        }
        return page
    }

    private func sticker(_ entry: AnswerEntry) throws(LeftOut) -> UpstreamSticker {
        let identifier = try entry.identifier()
        let rating = try entry.rating(upTo: rating)
        guard rating != nil || passesUnrated else { throw .unrated }
        var sticker = UpstreamSticker(
            identifier: identifier, url: try hosts.address(entry["url"], of: .sticker),
            thumbnail: try hosts.address(entry["thumbnail"], of: .thumbnail))
        sticker.title = entry.text("title")
        let text = entry.text("accessibilityText")
        sticker.text = text.isEmpty ? nil : text
        sticker.rating = rating
        sticker.keywords = entry.texts("keywords")
        sticker.animated = entry["animated"] == .bool(true) || Self.isGIF(sticker.url, entry)
        if let attribution = try? AnswerEntry(entry["attribution"] ?? .null) {
            sticker.attribution = attribution.text("text")
            sticker.attributionURL = attribution.link("url")
        }
        return sticker
    }

    /// A provider that does not say whether a sticker moves uses GIF for those that do.
    private static func isGIF(_ url: String, _ entry: AnswerEntry) -> Bool {
        entry["animated"] == nil && url.prefix { $0 != "?" }.lowercased().hasSuffix(".gif")
    }
}

extension AnswerEntry {
    /// An https URL of any host, as a link for people; empty if there is none.
    fileprivate func link(_ name: String) -> String {
        guard case .string(let text)? = self[name] else { return "" }
        let form = /https:\/\/[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+(\/[A-Za-z0-9\-._~:\/?!$&()*+,;=%]*)?/
        return text.utf8.count <= 500 && text.wholeMatch(of: form) != nil ? text : ""
    }
}
