import StickerConfiguration
import StickerHTTP
import StickerServices
import StickerValues

/// The JSON of upstreams' stickers and categories.
enum UpstreamWording {
    /// The members of a category. Its number of stickers is unknown, and it has neither manifest nor packs.
    static func write(
        _ upstream: UpstreamConfiguration, _ addresses: PublicAddresses, _ json: inout JSONWriter
    ) {
        json.text("id", upstream.identifier.rawValue)
        json.text("title", upstream.title)
        json.flag("foreign", true)
        attribute(upstream.attribution, upstream.attributionURL, &json)
        for name in ["generation", "stickers", "animated"] { json.number(name, 0) }
        json.text(
            "stickersURL", "\(addresses.base)api/categories/\(upstream.identifier)/stickers")
        json.list("packs") { _ in }
    }

    /// A sticker for clients of sticker providers. Its id has a dot, unlike ours.
    static func entryBytes(
        of sticker: UpstreamSticker, _ upstream: UpstreamConfiguration, asWebP: Bool
    ) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.text("url", asWebP ? sticker.webp ?? sticker.url : sticker.url)
            json.text("id", "\(upstream.identifier).\(sticker.identifier)")
            json.text("thumbnail", sticker.thumbnail)
            json.text("title", sticker.title.isEmpty ? upstream.title : sticker.title)
            json.text("category", upstream.identifier.rawValue)
            json.flag("animated", sticker.animated)
            json.texts("emojis", [])
            if !sticker.keywords.isEmpty { json.texts("keywords", sticker.keywords) }
            if let text = sticker.text { json.text("accessibilityText", text) }
            if let rating = sticker.rating { json.text("rating", rating.rawValue) }
            json.flag("foreign", true)
            let names = [upstream.attribution, sticker.attribution].filter { !$0.isEmpty }
            let link =
                upstream.attributionURL.isEmpty ? sticker.attributionURL : upstream.attributionURL
            attribute(names.joined(separator: " · "), link, &json)
        }
        return json.bytes
    }

    private static func attribute(_ text: String, _ link: String, _ json: inout JSONWriter) {
        guard !text.isEmpty || !link.isEmpty else { return }
        json.object("attribution") { json in
            json.text("text", text.isEmpty ? link : text)
            if !link.isEmpty { json.text("url", link) }
        }
    }
}

/// Upstreams' stickers missing from an answer.
struct Incompleteness: Hashable, Sendable {
    var category: CategoryID
    /// The reason, for people.
    var why: String
    /// The age in seconds of the stickers in the answer; `nil` if there are none.
    var age: Int?

    /// Writes the member `incomplete`, if anything is missing.
    static func write(_ all: [Incompleteness], _ json: inout JSONWriter) {
        guard !all.isEmpty else { return }
        json.objects("incomplete", all) { one, json in
            json.text("category", one.category.rawValue)
            json.text("why", one.why)
            if let age = one.age { json.number("age", age) }
        }
    }
}

extension UpstreamDesk.Lack {
    /// The reason, for clients; operators find more in the log and at `/readyz`.
    var why: String {
        switch self {
        case .fault(let fault, _) where fault.kind == .question: "it does not accept the question"
        case .fault(let fault, _) where fault.kind == .stickers:
            "nothing in its answer can be passed on"
        case .key, .fault: "it cannot be asked now"
        case .quota: "it was asked as often as allowed within an hour"
        case .busy: "it is answering other requests"
        case .slow: "it takes long to answer"
        case .far: "the stickers before these are being requested"
        }
    }

    /// Whether a retry in a moment may succeed.
    var passes: Bool {
        switch self {
        case .busy, .slow, .far: true
        case .key, .fault, .quota: false
        }
    }

    /// In how many seconds to retry.
    func seconds(_ now: ContinuousClock.Instant) -> Int {
        switch self {
        case .fault(_, let end), .quota(let end):
            max(1, Int((now.duration(to: end) / .seconds(1)).rounded(.up)))
        case .key: 300
        case .busy, .slow, .far: 2
        }
    }
}
