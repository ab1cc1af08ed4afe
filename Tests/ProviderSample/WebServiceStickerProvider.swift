import Foundation
import StickerKit

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A provider written like the ones that photo and video editors publish as samples: Swift 5, completions without
/// `@Sendable`, an `Error` without `any`, no pages, no look at the status, and initialisers of its own for the types of
/// the editor, which are classes.
private struct Image: Decodable {
    let id: String
    let url: URL
    let thumbnail: URL
}

private struct Response: Decodable {
    let images: [Image]
}

private extension StickerProviderResult {
    convenience init(response: Response) {
        self.init(stickers: response.images.map(Sticker.init))
    }
}

private extension Sticker {
    convenience init(image: Image) {
        self.init(imageURL: image.url, thumbnailURL: image.thumbnail, identifier: image.id)
    }
}

class WebServiceStickerProvider: StickerProvider {
    private enum Parameters: String {
        case apiKey = "api_key"
        case query = "q"
    }

    private enum Endpoints: String {
        case trending = "/trending"
        case search = "/search"
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
            completion(
                Result {
                    let response = try JSONDecoder().decode(Response.self, from: data ?? Data())
                    return StickerProviderResult(response: response)
                })
        }
        task.resume()
    }
}
