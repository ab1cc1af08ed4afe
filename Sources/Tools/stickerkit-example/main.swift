import Foundation
import StickerKit

// Looks for stickers and keeps their pictures, the way an app does:
//
//     stickerkit-example http://127.0.0.1:8512 [WORDS]

let arguments = CommandLine.arguments.dropFirst()
guard let server = arguments.first.flatMap(URL.init(string:)), server.scheme != nil else {
    print("usage: stickerkit-example http://127.0.0.1:8512 [WORDS]")
    exit(2)
}
let query = arguments.dropFirst().joined(separator: " ")

let client = StickerClient(baseURL: server.appendingPathComponent("api/stickers"))
let library = StickerLibrary(at: server)
let cache = StickerCache(
    folder: FileManager.default.temporaryDirectory.appendingPathComponent("stickerkit-example"),
    bytesMax: 50_000_000)

do {
    for category in try await library.index().categories {
        let stickers = try await library.category(category.identifier).stickers
        print("\(category.title): \(stickers.count) stickers")
    }
    // Pages are requested while they are read, so leaving the loop early costs nothing.
    for try await sticker in client.stickers(matching: query).prefix(20) {
        let file = try await cache.file(for: sticker.imageURL)
        print("\(sticker.identifier)  \(sticker.label) \(sticker.emojis.joined())  \(file.path)")
    }
} catch let error as StickerError {
    print("error: \(error.localizedDescription)")
    if let remedy = error.recoverySuggestion { print("remedy: \(remedy)") }
    exit(1)
}
