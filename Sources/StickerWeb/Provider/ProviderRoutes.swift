import StickerModel

/// The stickers, as the sample of a sticker provider asks for them: `trending`, `search`, and one by its id for ever.
struct ProviderRoutes: Sendable {
    let library: LibraryView

    /// All of them.
    func trending(_ request: WebRequest) throws -> Answer { try list(request, query: nil) }

    /// What is found by `q`.
    func search(_ request: WebRequest) throws -> Answer {
        let text = request.query["q"] ?? ""
        return try list(request, query: text.allSatisfy(\.isWhitespace) ? nil : text)
    }

    private func list(_ request: WebRequest, query: String?) throws -> Answer {
        let paging = try Paging(request)
        let page = try page(query, .asked(by: request), paging.offset, paging.limit)
        return .images(page)
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

    /// One sticker, or what it was.
    func one(_ id: StickerID, _ request: WebRequest) throws -> Answer {
        if let body = try library.index.one(id, .asked(by: request)) {
            return .json(200, body)
        }
        let now = library.now
        guard let removed = now.removed[id] else { throw now.nothing }
        throw WebError(
            status: 410, message: "the sticker was removed",
            remedy: "take another one; the id is never given to another picture",
            details: [
                ("id", id.rawValue), ("title", removed.title),
                ("category", removed.category.rawValue), ("removedAt", removed.removedAt),
            ])
    }
}

extension SearchIndex.Body {
    /// PNG and GIF for editors that show nothing else, or WebP.
    ///
    /// - Throws: `WebError` if `format` is neither.
    static func asked(by request: WebRequest) throws -> SearchIndex.Body {
        switch request.query["format"] {
        case nil, "", "png", "gif": .provider
        case "webp": .providerWebP
        default: throw WebError.badParameter("format", "webp, or absent for PNG and GIF")
        }
    }
}

extension Answer {
    /// What clients of sticker providers read.
    static func images(_ page: SearchIndex.Page) -> Answer {
        .json { json in
            json.list("images") { json in
                for body in page.bodies { json.element(body) }
            }
            json.flag("has_more", page.hasMore)
        }
    }
}
