import NIOCore
import StickerModel

/// The stickers, as the sample of a sticker provider asks for them: `trending`, `search`, and one by its id for ever.
struct ProviderRoutes: Sendable {
    /// The most stickers of an answer, and as many as there are if nobody says how many: the sample cannot ask for more.
    static let limitMax = 200

    let library: LibraryView

    /// Answers what stands behind `/api/stickers/`.
    func answer(_ path: ArraySlice<String>, _ request: WebRequest) throws -> Answer {
        switch (path.first, path.count) {
        case ("trending", 1): return try list(request, query: nil)
        case ("search", 1):
            let text = request.query["q"] ?? ""
            return try list(request, query: text.allSatisfy(\.isWhitespace) ? nil : text)
        case ("by-id", 2), (_, 1): return try one(path.last ?? "", request)
        default: throw WebError.notFound
        }
    }

    private func list(_ request: WebRequest, query: String?) throws -> Answer {
        let offset = try number("offset", in: request, 0...Int(Int32.max)) ?? 0
        let limit = try number("limit", in: request, 0...Int(Int32.max)) ?? Self.limitMax
        let body = try form(request)
        let page = try page(query, body, offset, min(limit, Self.limitMax))
        return .json { json in
            json.list("images") { json in
                for body in page.bodies { json.element(body) }
            }
            json.flag("has_more", page.hasMore)
        }
    }

    private func page(
        _ query: String?, _ body: SearchIndex.Body, _ offset: Int, _ limit: Int
    ) throws -> SearchIndex.Page {
        guard let query else { return try library.index.all(body, offset: offset, limit: limit) }
        // Nothing but signs finds nothing.
        guard let query = SearchText.query(query) else {
            return SearchIndex.Page(bodies: [], hasMore: false)
        }
        return try library.index.found(query, body, offset: offset, limit: limit)
    }

    private func one(_ name: String, _ request: WebRequest) throws -> Answer {
        let id = StickerID(rawValue: name)
        if let body = try library.index.one(id, form(request)) {
            return Answer(
                200, [("Content-Type", Answer.jsonType), ("Cache-Control", "no-cache")],
                .bytes(ByteBuffer(bytes: body)))
        }
        guard let removed = library.now.removed[id] else { throw WebError.notFound }
        throw WebError(
            status: 410, message: "the sticker was removed",
            remedy: "take another one; the id is never given to another picture",
            details: [
                ("id", id.rawValue), ("title", removed.title),
                ("category", removed.category.rawValue), ("removedAt", removed.removedAt),
            ])
    }

    /// PNG and GIF for editors that show nothing else, or WebP.
    private func form(_ request: WebRequest) throws -> SearchIndex.Body {
        switch request.query["format"] {
        case nil, "", "png", "gif": .provider
        case "webp": .providerWebP
        default: throw WebError.badParameter("format", "webp, or absent for PNG and GIF")
        }
    }

    private func number(
        _ name: String, in request: WebRequest, _ range: ClosedRange<Int>
    ) throws -> Int? {
        guard let text = request.query[name], !text.isEmpty else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw WebError.badParameter(name, "a whole number from \(range.lowerBound) on")
        }
        return number
    }
}
