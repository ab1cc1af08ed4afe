public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Requests stickers from a stickerd-web.
///
/// It has no state: keep one, or create one wherever you need it.
public struct StickerClient: Sendable {
    /// The format of pictures.
    public enum Format: Hashable, Sendable {
        /// PNG, or GIF for moving stickers, which every editor shows.
        case compatible
        /// WebP, which has soft edges in motion and needs fewer bytes.
        case webP
    }

    /// The most stickers of an answer.
    public static let limitMax = 200

    private let baseURL: URL
    private let apiKey: String?
    private let format: Format
    private let ratingMax: Sticker.Rating?
    private let transport: Transport

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - baseURL: the address of the provider, `https://stickers.example.org/api/stickers` for example.
    ///   - apiKey: the key from the operator of the server, if one is needed.
    ///   - format: the format of pictures.
    ///   - ratingMax: the highest rating of stickers in lists; `nil` for all stickers. Unrated stickers count as
    ///     ``Sticker/Rating/general``.
    ///   - session: loads the answers.
    public init(
        baseURL: URL, apiKey: String? = nil, format: Format = .compatible,
        ratingMax: Sticker.Rating? = nil, session: URLSession = .shared
    ) {
        self.baseURL = baseURL
        self.apiKey = apiKey
        self.format = format
        self.ratingMax = ratingMax
        transport = Transport(session: session)
    }

    /// All stickers: pinned ones first, then the newest.
    ///
    /// - Parameters:
    ///   - offset: how many to skip.
    ///   - limit: how many at most; the server returns no more than ``limitMax``.
    /// - Returns: a page of them.
    /// - Throws: ``StickerError``.
    public func trending(
        offset: Int = 0, limit: Int = limitMax
    ) async throws(StickerError) -> StickerProviderResult {
        try await list("trending", page(offset, limit))
    }

    /// The stickers whose title, keywords, emoji or category contain all words of a text; the last word may be
    /// incomplete.
    ///
    /// - Parameters:
    ///   - query: the search text. If it is blank, the answer is that of `trending`; a text without words finds
    ///     nothing.
    ///   - offset: how many to skip.
    ///   - limit: how many at most; the server returns no more than ``limitMax``.
    /// - Returns: a page of them.
    /// - Throws: ``StickerError``.
    public func search(
        query: String, offset: Int = 0, limit: Int = limitMax
    ) async throws(StickerError) -> StickerProviderResult {
        try await list("search", [URLQueryItem(name: "q", value: query)] + page(offset, limit))
    }

    /// The sticker with an id.
    ///
    /// - Parameter identifier: the id, which an app may have stored years ago.
    /// - Returns: the current sticker.
    /// - Throws: ``StickerError/removed(_:)`` with its former title if it was removed, a refusal with the status 404 if
    ///   it never existed, or any other ``StickerError``.
    public func sticker(id identifier: String) async throws(StickerError) -> Sticker {
        let url = try address("by-id/\(identifier.asOnePathComponent)", [])
        let reply = try await transport.reply(to: url)
        switch reply.status {
        case 200: return try ProviderImage.sticker(reply.data, from: url)
        case 410: throw .removed(try WireReading.read(Gone.self, reply.data, from: url).sticker)
        default: throw reply.refusal(of: url)
        }
    }

    private func list(
        _ path: String, _ items: [URLQueryItem]
    ) async throws(StickerError) -> StickerProviderResult {
        let rating = ratingMax.map { URLQueryItem(name: "rating", value: $0.rawValue) }
        let url = try address(path, items + [rating].compactMap(\.self))
        return try ProviderImage.list(try await transport.bytes(at: url), from: url)
    }

    private func page(_ offset: Int, _ limit: Int) -> [URLQueryItem] {
        [
            URLQueryItem(name: "offset", value: "\(offset)"),
            URLQueryItem(name: "limit", value: "\(limit)"),
        ]
    }

    /// `path`, percent-encoded, follows the address of the provider; `items` are inserted among the query items of
    /// every request.
    private func address(
        _ path: String, _ items: [URLQueryItem]
    ) throws(StickerError) -> URL {
        var items = items
        if let apiKey { items.insert(URLQueryItem(name: "api_key", value: apiKey), at: 0) }
        if format == .webP { items.append(URLQueryItem(name: "format", value: "webp")) }
        guard var parts = URLComponents(url: baseURL, resolvingAgainstBaseURL: true) else {
            throw .unreadable(baseURL.withoutQuery, "it is not the address of a provider")
        }
        parts.queryItems = items.isEmpty ? nil : items
        // Servers read a plus sign as a blank, and URLComponents does not encode it.
        let query = parts.percentEncodedQuery?.replacingOccurrences(of: "+", with: "%2B")
        parts.percentEncodedQuery = query
        parts.percentEncodedPath = parts.percentEncodedPath.withSlash + path
        guard let url = parts.url else {
            throw .unreadable(baseURL.withoutQuery, "it is not the address of a provider")
        }
        return url
    }
}

extension String {
    fileprivate var withSlash: String { hasSuffix("/") ? self : self + "/" }

    fileprivate var asOnePathComponent: String {
        let allowed = CharacterSet.urlPathAllowed.subtracting(CharacterSet(charactersIn: "/;"))
        return addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
    }
}

/// The answer for a removed sticker.
private struct Gone: Decodable {
    var id: String
    var title: String
    var category: String
    var removedAt: Date
    var successor: String?

    var sticker: RemovedSticker {
        RemovedSticker(
            identifier: id, title: title, category: category, removedAt: removedAt,
            successor: successor)
    }
}
