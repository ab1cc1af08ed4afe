import Foundation
import StickerKit
import StickerTestSupport
import StickerValues

/// A library on the disk, written with the types of the daemon.
final class Shelf {
    let folder: TemporaryFolder
    /// The beginning of every address, unless it is relative.
    private let base: String

    init(base: String = "") throws {
        folder = try TemporaryFolder()
        self.base = base
    }

    var url: URL { URL(filePath: folder.path, directoryHint: .isDirectory) }

    /// The library, read from the disk.
    var library: StickerLibrary { StickerLibrary(at: url) }

    /// Publishes a category of several pages, the further ones with names of their own.
    func publish(_ id: String, pages: [[ManifestSticker]], generation: Int = 1) throws {
        for (number, stickers) in pages.enumerated() {
            var words = CategoryWords()
            words.description = "What it is about"
            words.publisher = "Ada"
            words.links = Links()
            words.links?.website = "https://example.org/ada"
            let next = number + 1 < pages.count ? name(generation, number + 1) : nil
            let manifest = Manifest(
                generation: generation, identifier: CategoryID(rawValue: id),
                title: id.capitalized, words: words, imageURL: address("_/aa/tray.png"),
                trayURL: address("_/aa/tray.png"), stickers: stickers,
                nextURL: next.map { base.isEmpty ? $0 : "\(base)\(id)/\($0)" })
            try write(manifest, "\(id)/\(number == 0 ? "manifest.json" : name(generation, number))")
        }
    }

    private func name(_ generation: Int, _ page: Int) -> String {
        "manifest-\(generation)-\(page).json"
    }

    func write(_ value: some Encodable, _ name: String) throws {
        try folder.write(Array(JSONEncoder().encode(value)), to: name)
    }

    /// A sticker with a file of each role.
    func sticker(
        _ id: String, _ change: (inout ManifestSticker) -> Void = { _ in }
    ) -> ManifestSticker {
        let roles: [(StickerFile.Role, ImageFormat)] = [
            (.sticker, .webp), (.companion, .png), (.thumbnail, .png),
        ]
        let files = roles.map { role, format in
            StickerValues.StickerFile(
                role: .init(rawValue: role.rawValue) ?? .sticker, format: format,
                size: PixelSize(width: 512, height: 512), bytes: 9,
                sha256: ContentHash(rawValue: String(repeating: "0", count: 64)))
        }
        let product = StickerProduct(
            recipe: "r", animated: false, encoding: Encoding(mode: .lossless), files: files)
        var sticker = ManifestSticker(
            identifier: StickerID(rawValue: id), title: id.capitalized, emojis: ["😀"],
            product: product,
            source: .init(
                name: "\(id).png", nameEncoding: nil,
                sha256: ContentHash(rawValue: String(repeating: "1", count: 64)))
        ) { address($0.path) }
        sticker.publishedAt = "2026-07-01T09:30:00Z"
        change(&sticker)
        return sticker
    }

    /// As seen from the folder of a category.
    private func address(_ path: String) -> String { base.isEmpty ? "../\(path)" : base + path }
}

private typealias StickerFile = StickerKit.StickerFile
