import Foundation
import StickerKit

extension StubServer {
    /// A client of this server.
    func client(
        key: String? = nil, _ format: StickerClient.Format = .compatible
    ) -> StickerClient {
        StickerClient(
            baseURL: url("/api/stickers"), apiKey: key, format: format, session: session)
    }

    /// The members of a provider's sticker, and no more.
    static func image(_ id: String) -> String {
        """
        {"id": "\(id)", "url": "https://example.org/\(id).png", "thumbnail": "/t/\(id).png"}
        """
    }

    /// A page of stickers.
    static func page(_ ids: [String], hasMore: Bool = false) -> Answer {
        let images = ids.map(image).joined(separator: ", ")
        return .json(#"{"images": [\#(images)], "has_more": \#(hasMore)}"#)
    }
}
