import StickerHTTP
import StickerValues

/// The stickers for the sample of a sticker provider: `trending`, `search`, and one by its permanent id.
struct ProviderRoutes: Sendable {
    let library: LibraryView

    /// All visible stickers.
    func trending(_ request: WebRequest) throws -> Answer {
        try list(request, Self.query("", upTo: .ceiling(of: request)))
    }

    /// The stickers found by `q`; all visible ones if it is empty.
    func search(_ request: WebRequest) throws -> Answer {
        try list(request, Self.query(request.query["q"] ?? "", upTo: .ceiling(of: request)))
    }

    /// The query of the index for a typed text; `nil` for all stickers.
    static func query(_ text: String, upTo ceiling: Rating) -> String? {
        guard !text.allSatisfy(\.isWhitespace) else { return SearchText.all(upTo: ceiling) }
        // A text of only punctuation finds nothing.
        return SearchText.query(text, upTo: ceiling) ?? SearchText.nothing
    }

    private func list(_ request: WebRequest, _ query: String?) throws -> Answer {
        let paging = try Paging(request)
        let body = try SearchIndex.Body.asked(by: request)
        let (offset, limit) = (paging.offset, paging.limit)
        return .images(
            try query.map { try library.index.found($0, body, offset: offset, limit: limit) }
                ?? library.index.all(body, offset: offset, limit: limit))
    }

    /// The answer about one sticker, with a member for its files.
    private func withFiles(_ body: [UInt8], of id: StickerID) throws -> [UInt8] {
        let whole = try library.index.one(id, .whole).map { [$0] } ?? []
        guard let sticker = try FoundSticker.read(whole).first else { return body }
        var json = JSONWriter()
        json.objects("files", sticker.pictures) { picture, json in
            json.text("url", picture.url)
            json.text("format", picture.format.rawValue)
            json.number("width", picture.width)
            json.number("height", picture.height)
            json.number("bytes", picture.bytes)
            json.number("frames", picture.frames)
        }
        return body.dropLast() + [UInt8(ascii: ",")] + json.bytes + [UInt8(ascii: "}")]
    }

    /// One sticker, or the record of a removed one.
    func one(_ id: StickerID, _ request: WebRequest) throws -> Answer {
        if let body = try library.index.one(id, .asked(by: request)) {
            return .json(200, try withFiles(body, of: id))
        }
        let now = library.now
        guard let removed = now.removed[id] else { throw now.nothing }
        let successor = removed.successor.flatMap { now.removed[$0] == nil ? $0.rawValue : nil }
        throw WebError(
            status: 410, message: "the sticker was removed",
            remedy: successor.map { "take \($0), which shows its picture now" }
                ?? "take another one; the id is never given to another picture",
            details: [
                ("id", id.rawValue), ("title", removed.title),
                ("category", removed.category.rawValue), ("removedAt", removed.removedAt),
            ] + (successor.map { [("successor", $0)] } ?? []))
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
    /// The members that clients of sticker providers read. They ignore those of `more`.
    static func images(
        _ page: SearchIndex.Page, more: (inout JSONWriter) -> Void = { _ in }
    ) -> Answer {
        .json { json in
            json.list("images") { json in
                for body in page.bodies { json.element(body) }
            }
            json.flag("has_more", page.hasMore)
            more(&json)
        }
    }
}
