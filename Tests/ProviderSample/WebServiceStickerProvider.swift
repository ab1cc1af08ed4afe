import Foundation
import StickerKit

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A provider written like the ones that photo and video editors publish as samples: Swift 5, completions without
/// `@Sendable`, an `Error` without `any`, no pages, and no look at the status.
class WebServiceStickerProvider: StickerProvider {
    private enum Parameters: String {
        case apiKey = "api_key"
        case query = "q"
    }

    private enum Endpoints: String {
        case trending = "/trending"
        case search = "/search"
    }

    private struct Image: Decodable {
        let id: String
        let url: URL
        let thumbnail: URL
    }

    private struct Response: Decodable {
        let images: [Image]
    }

    private let baseURL: String
    private let apiKey: String

    init(baseURL: String, apiKey: String) {
        self.baseURL = baseURL
        self.apiKey = apiKey
    }

    func trending(
        offset: Int, limit: Int,
        completion: @escaping (Result<StickerProviderResult, Error>) -> Void
    ) {
        send(.trending, [:], completion)
    }

    func search(
        query: String, offset: Int, limit: Int,
        completion: @escaping (Result<StickerProviderResult, Error>) -> Void
    ) {
        send(.search, [.query: query], completion)
    }

    private func send(
        _ endpoint: Endpoints, _ parameters: [Parameters: String],
        _ completion: @escaping (Result<StickerProviderResult, Error>) -> Void
    ) {
        var components = URLComponents(string: baseURL)
        components?.queryItems = [URLQueryItem(name: Parameters.apiKey.rawValue, value: apiKey)]
        for (name, value) in parameters {
            components?.queryItems?.append(URLQueryItem(name: name.rawValue, value: value))
        }
        guard let url = components?.url?.appendingPathComponent(endpoint.rawValue) else {
            completion(.failure(URLError(.badURL)))
            return
        }
        let task = URLSession.shared.dataTask(with: url) { data, _, error in
            if let error = error {
                completion(.failure(error))
                return
            }
            completion(Result { try Self.result(data ?? Data()) })
        }
        task.resume()
    }

    private static func result(_ data: Data) throws -> StickerProviderResult {
        let response = try JSONDecoder().decode(Response.self, from: data)
        let stickers = response.images.map {
            Sticker(imageURL: $0.url, thumbnailURL: $0.thumbnail, identifier: $0.id)
        }
        return StickerProviderResult(stickers: stickers)
    }
}
