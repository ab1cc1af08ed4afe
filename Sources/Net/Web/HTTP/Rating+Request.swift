import StickerHTTP
import StickerModel

extension Rating {
    /// The highest rating that may be seen, by the parameter `rating`.
    ///
    /// - Throws: `WebError` if there is no such rating.
    static func ceiling(of request: WebRequest) throws -> Rating {
        let text = (request.query["rating"] ?? "").lowercased()
        // The youngest were told apart by GIPHY once.
        guard let rating = text.isEmpty ? .restricted : Rating(rawValue: text == "y" ? "g" : text)
        else {
            throw WebError.badParameter(
                "rating",
                Rating.allCases.map(\.rawValue).joined(separator: ", ")
                    + "; absent for all")
        }
        return rating
    }
}
