import StickerHTTP
import StickerValues

extension Rating {
    /// The highest rating allowed by the parameter `rating`.
    ///
    /// - Throws: `WebError` if there is no such rating.
    static func ceiling(of request: WebRequest) throws -> Rating {
        let text = (request.query["rating"] ?? "").lowercased()
        // GIPHY once had a separate rating for the youngest.
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
