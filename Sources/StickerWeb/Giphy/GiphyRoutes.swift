import NIOCore
import StickerHTTP
import StickerModel

/// Stickers in the shape of GIPHY's API, for clients of it whose server can be chosen: https://developers.giphy.com/docs/api.
struct GiphyRoutes: Sendable {
    /// As many stickers as there are in an answer if nobody says how many.
    private static let limit = 25
    /// The longest question.
    private static let charactersMax = 50
    /// The most stickers that are asked for by their ids at once.
    private static let idsMax = 100

    let library: LibraryView

    /// All that may be seen.
    func trending(_ request: WebRequest) throws -> Answer {
        try list(request, SearchText.all(upTo: .ceiling(of: request)))
    }

    /// What is found by `q`.
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
        // What has no word in it finds nothing, like a word that nobody wrote.
        let query = try SearchText.query(text, upTo: .ceiling(of: request))
        return try list(request, query ?? SearchText.nothing)
    }

    /// The stickers with the ids in `ids`, in this order; those that are not there are left out.
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

    /// One sticker.
    func one(_ id: StickerID) throws -> Answer {
        guard let sticker = try FoundSticker.read(library.index.some([id], .whole)).first else {
            let now = library.now
            throw now.removed[id] == nil
                ? now.nothing
                : WebError(
                    status: 404, message: "the sticker was removed",
                    remedy: "take another one; the id is never given to another picture")
        }
        return .json { json in
            json.object("data") { GiphyWording.write(sticker, &$0) }
            json.object("meta") { Self.write(200, "OK", response, &$0) }
        }
    }

    private func list(_ request: WebRequest, _ query: String?) throws -> Answer {
        let paging = try Paging(request, limit: Self.limit)
        let (page, total) = try library.index.counted(
            query, .whole, offset: paging.offset, limit: paging.limit)
        return try answer(page.bodies, total: total, offset: paging.offset)
    }

    private func answer(_ records: [[UInt8]], total: Int, offset: Int) throws -> Answer {
        let stickers = try FoundSticker.read(records)
        return .json { json in
            json.list("data") { json in
                for sticker in stickers { json.object { GiphyWording.write(sticker, &$0) } }
            }
            json.object("pagination") { json in
                json.number("total_count", total)
                json.number("count", stickers.count)
                json.number("offset", offset)
            }
            json.object("meta") { Self.write(200, "OK", response, &$0) }
        }
    }

    /// A client takes an answer without this for a fault. It tells the state of the library that the answer shows.
    private var response: String { "generation-\(library.now.generation)" }

    fileprivate static func write(
        _ status: Int, _ message: String, _ response: String, _ json: inout JSONWriter
    ) {
        json.number("status", status)
        json.text("msg", message)
        json.text("response_id", response)
    }
}

extension Answer {
    /// Why a request of a client of GIPHY is not answered.
    static func giphy(_ error: WebError, to request: WebRequest) -> Answer {
        let isForbidden = error.status == 401 && request.query["api_key"]?.isEmpty == false
        let status = isForbidden ? 403 : error.status
        let message = "\(error.message): \(error.remedy)"
        var answer = Answer.json(status) { json in
            json.list("data") { _ in }
            json.object("meta") {
                GiphyRoutes.write(status, message, request.identifier, &$0)
            }
            // Some clients look here.
            json.text("message", message)
        }
        answer.headers[1].value = "no-store"
        answer.headers += error.headers
        return answer
    }
}
