import Foundation
import StickerKit

// provider-sample BASE [WORDS]: asks as an editor does, and puts what it gets into a category.
let words = CommandLine.arguments.dropFirst()
let provider: StickerProvider = WebServiceStickerProvider(
    baseURL: words.first ?? "", apiKey: "KEY")

func show(_ result: Result<StickerProviderResult, Error>) {
    switch result {
    case .success(let result):
        let category = StickerCategory(title: "Found", imageURL: nil, stickers: result.stickers)
        for sticker in category.stickers {
            let thumbnail = sticker.thumbnailURL?.absoluteString ?? "none"
            print(sticker.identifier, sticker.imageURL.absoluteString, thumbnail)
        }
        exit(0)
    case .failure(let error):
        print("error: \(error)")
        exit(1)
    }
}

if let query = words.dropFirst().first {
    provider.search(query: query, offset: 0, limit: 20) { show($0) }
} else {
    provider.trending(offset: 0, limit: 20) { show($0) }
}
RunLoop.main.run()
