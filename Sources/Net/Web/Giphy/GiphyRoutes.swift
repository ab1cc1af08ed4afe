import NIOCore
import StickerHTTP
import StickerValues

/// Stickers in the shape of GIPHY's API, for its clients with a configurable server:
/// https://developers.giphy.com/docs/api, and https://github.com/Giphy/giphy-js, packages/fetch-api/src/api.ts.
struct GiphyRoutes: Sendable {
    /// The default number of stickers in an answer.
    private static let limit = 25
    /// The longest search text.
    private static let charactersMax = 50
    /// The most ids in one request.
    private static let idsMax = 100
    /// The most related stickers.
    private static let relatedMax = 200

    let library: LibraryView

    /// All visible stickers.
    func trending(_ request: WebRequest) throws -> Answer {
        try list(request, SearchText.all(upTo: .ceiling(of: request)))
    }

    /// The stickers found by `q`.
    func search(_ request: WebRequest) throws -> Answer {
        let text = request.query["q"] ?? ""
        guard !text.isEmpty else {
            throw WebError(
                status: 400, message: "there is no q", remedy: "add q=WORDS, or ask for trending")
        }
        guard text.unicodeScalars.count <= Self.charactersMax else {
            throw WebError(
                status: 414, message: "q is too long",
                remedy: "ask with at most \(Self.charactersMax) characters")
        }
        // A text without words finds nothing.
        let query = try SearchText.query(text, upTo: .ceiling(of: request))
        return try list(request, query ?? SearchText.nothing)
    }

    /// The stickers with the ids in `ids`, in this order; missing ones are left out.
    func some(_ request: WebRequest) throws -> Answer {
        let ids = (request.query["ids"] ?? "").split(separator: ",").map { id in
            StickerID(rawValue: id.trimmingPrefix(" ").description)
        }
        guard (1...Self.idsMax).contains(ids.count) else {
            throw WebError.badParameter("ids", "1 to \(Self.idsMax) ids with commas between them")
        }
        let records = try library.index.some(ids, .whole)
        return try answer(records, total: records.count, offset: 0)
    }

    /// Any sticker, or any of those found by `tag`.
    func random(_ request: WebRequest) throws -> Answer {
        let query = try ProviderRoutes.query(
            request.query["tag"] ?? "", upTo: .ceiling(of: request))
        guard let body = try library.index.random(query, .whole),
            let sticker = try FoundSticker.read([body]).first
        else { throw library.now.nothing }
        var answer = answer(sticker)
        answer.set("Cache-Control", "no-store")
        return answer
    }

    /// Other stickers with a word of the title or the keywords of the sticker `gif_id`.
    func related(_ request: WebRequest) throws -> Answer {
        let id = StickerID(rawValue: request.query["gif_id"] ?? "")
        let paging = try Paging(request, limit: Self.limit)
        let sticker = try sticker(id)
        let query = try SearchText.anyWord(
            of: [sticker.title] + sticker.keywords, upTo: .ceiling(of: request))
        let page = try library.index.found(
            query ?? SearchText.nothing, .whole, offset: 0, limit: Self.relatedMax + 1)
        let others = try FoundSticker.read(page.bodies).filter { $0.identifier != id }
            .prefix(Self.relatedMax)
        return answer(
            Array(paging.part(of: Array(others)).elements), total: others.count,
            offset: paging.offset)
    }

    /// The categories, each with its first visible sticker, and with itself as its only subcategory.
    func categories(_ request: WebRequest) throws -> Answer {
        let categories = library.now.categories
        let part = try Paging(request).part(of: categories)
        return try answer(Array(part.elements), total: categories.count, of: request)
    }

    /// The subcategories of a category: itself.
    func subcategories(of id: CategoryID, _ request: WebRequest) throws -> Answer {
        try answer([library.now.category(id)], total: 1, of: request)
    }

    /// The stickers of a category, by the names of it and of its only subcategory, which are the same.
    func stickers(of names: [String], _ request: WebRequest) throws -> Answer {
        guard Set(names).count == 1 else { throw library.now.nothing }
        let stickers = try library.now.category(CategoryID(rawValue: names[0]))
            .stickers(upTo: .ceiling(of: request))
        let paging = try Paging(request, limit: Self.limit)
        let records = try library.index.some(paging.part(of: stickers).elements, .whole)
        return try answer(records, total: stickers.count, offset: paging.offset)
    }

    /// An empty list: there are no channels, and searches are not counted. A client would show an error otherwise.
    func none(_ request: WebRequest) throws -> Answer {
        try answer([FoundSticker](), total: 0, offset: Paging(request).offset)
    }

    func one(_ id: StickerID) throws -> Answer {
        try answer(sticker(id))
    }

    private func sticker(_ id: StickerID) throws -> FoundSticker {
        if let sticker = try FoundSticker.read(library.index.some([id], .whole)).first {
            return sticker
        }
        let now = library.now
        throw now.removed[id] == nil
            ? now.nothing
            : WebError(
                status: 404, message: "the sticker was removed",
                remedy: "take another one; the id is never given to another picture")
    }

    private func list(_ request: WebRequest, _ query: String?) throws -> Answer {
        let paging = try Paging(request, limit: Self.limit)
        let (page, total) = try library.index.counted(
            query, .whole, offset: paging.offset, limit: paging.limit)
        return try answer(page.bodies, total: total, offset: paging.offset)
    }

    private func answer(_ records: [[UInt8]], total: Int, offset: Int) throws -> Answer {
        try answer(FoundSticker.read(records), total: total, offset: offset)
    }

    private func answer(_ stickers: [FoundSticker], total: Int, offset: Int) -> Answer {
        list(stickers, total: total, offset: offset) { GiphyWording.write($0, &$1) }
    }

    private func answer(_ sticker: FoundSticker) -> Answer {
        .json { json in
            json.object("data") { GiphyWording.write(sticker, &$0) }
            json.object("meta") { Self.write(200, "OK", response, &$0) }
        }
    }

    private func answer(
        _ categories: [CategoryFacts], total: Int, of request: WebRequest
    ) throws -> Answer {
        let ceiling = try Rating.ceiling(of: request)
        let covers = try FoundSticker.read(
            library.index.some(categories.compactMap { $0.cover(upTo: ceiling) }, .whole))
        let found = Dictionary(
            covers.map { ($0.identifier, $0) }, uniquingKeysWith: { first, _ in first })
        return try list(categories, total: total, offset: Paging(request).offset) {
            GiphyWording.write($0, cover: $0.cover(upTo: ceiling).flatMap { found[$0] }, &$1)
        }
    }

    private func list<Element>(
        _ elements: [Element], total: Int, offset: Int,
        _ write: (Element, inout JSONWriter) -> Void
    ) -> Answer {
        .json { json in
            json.objects("data", elements, write)
            json.object("pagination") { json in
                json.number("total_count", total)
                json.number("count", elements.count)
                json.number("offset", offset)
            }
            json.object("meta") { Self.write(200, "OK", response, &$0) }
        }
    }

    /// The state of the library shown by the answer; clients take an answer without this member for an error.
    private var response: String { "generation-\(library.now.generation)" }

    fileprivate static func write(
        _ status: Int, _ message: String, _ response: String, _ json: inout JSONWriter
    ) {
        json.number("status", status)
        json.text("msg", message)
        json.text("response_id", response)
    }
}

extension GiphyRoutes {
    /// Whether a request comes from a client of GIPHY.
    static func areAsked(by request: WebRequest) -> Bool {
        request.target.hasPrefix("/v1/") || request.target.hasPrefix("/v2/")
    }

    /// Why GIFs that are no stickers, texts, videos and emoji are not served.
    static let unknown = WebError(
        status: 404, message: "this server has stickers alone",
        remedy: "ask for stickers: trending, search, related, random, categories, or an id")
}

extension Answer {
    /// An error for clients of GIPHY.
    static func giphy(_ error: WebError, to request: WebRequest) -> Answer {
        let isForbidden = error.status == 401 && request.query["api_key"]?.isEmpty == false
        let status = isForbidden ? 403 : error.status
        let message = "\(error.message): \(error.remedy)"
        var answer = Answer.json(status) { json in
            json.list("data") { _ in }
            json.object("meta") {
                GiphyRoutes.write(status, message, request.identifier, &$0)
            }
            // Some clients read this member.
            json.text("message", message)
        }
        answer.set("Cache-Control", "no-store")
        answer.headers += error.headers
        return answer
    }
}
