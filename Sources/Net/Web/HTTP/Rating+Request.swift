import StickerHTTP
import StickerServices
import StickerValues

extension Rating {
    /// The highest rating allowed by the parameter `rating`.
    ///
    /// - Throws: `WebError` if there is no such rating.
    static func ceiling(of request: WebRequest) throws -> Rating {
        let text = request.query["rating"] ?? ""
        guard let rating = text.isEmpty ? .restricted : Rating(lenient: text) else {
            throw WebError.badParameter(
                "rating",
                Rating.allCases.map(\.rawValue).joined(separator: ", ")
                    + "; absent for all")
        }
        return rating
    }
}
