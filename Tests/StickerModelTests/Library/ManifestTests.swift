import Foundation
import StickerModel
import Testing

struct ManifestTests {
    @Test func absentValuesAreLeftOut() throws {
        let manifest = Manifest(
            generation: 1, identifier: CategoryID(rawValue: "cats"), title: "Cats",
            stickers: [.still])

        let json = try text(manifest)

        #expect(!json.contains("null"))
        for key in ["imageURL\":null", "trayURL", "nextURL", "nameEncoding", "companionURL"] {
            #expect(!json.contains(key))
        }
        #expect(try keys(manifest) == ["generation", "identifier", "stickers", "title", "version"])
    }

    @Test func everyValueIsWritten() throws {
        let manifest = Manifest(
            generation: 7, identifier: CategoryID(rawValue: "cats"), title: "Cats",
            imageURL: "i", trayURL: "t", stickers: [.moving], nextURL: "n")

        #expect(
            try keys(manifest) == [
                "generation", "identifier", "imageURL", "nextURL", "stickers", "title", "trayURL",
                "version",
            ])
        #expect(
            try keys(ManifestSticker.moving) == [
                "animated", "companionURL", "emojis", "encoding", "files", "identifier", "imageURL",
                "source", "thumbnailURL", "title",
            ])
    }

    @Test(arguments: [ManifestSticker.still, .moving])
    func stickerSurvivesTheRoundTrip(sticker: ManifestSticker) throws {
        let json = try JSONEncoder().encode(sticker)

        #expect(try JSONDecoder().decode(ManifestSticker.self, from: json) == sticker)
    }

    @Test func addressesFollowTheRoles() {
        let sticker = ManifestSticker.moving

        #expect(sticker.imageURL == "../_/aa/\(digest("a")).webp")
        #expect(sticker.companionURL == "../_/bb/\(digest("b")).gif")
        #expect(sticker.thumbnailURL == "../_/dd/\(digest("d")).png")
        #expect(
            sticker.files.map(\.role) == [.sticker, .companion, .thumbnail, .thumbnail, .thumbnail])
        #expect(sticker.animated)
    }

    @Test func productWithoutItsStickerTraps() async {
        await #expect(processExitsWith: .failure) {
            let product = StickerProduct(
                recipe: "r", animated: false, encoding: Encoding(mode: .lossless), files: [])
            _ = ManifestSticker(
                identifier: StickerID(rawValue: "cat"), title: "cat", emojis: [], product: product,
                source: .init(name: "cat.png", nameEncoding: nil, sha256: digest("e"))
            ) { $0.path }
        }
    }

    @Test func indexListsCategories() throws {
        let index = LibraryIndex(
            generation: 2,
            categories: [
                .init(
                    identifier: CategoryID(rawValue: "cats"), title: "Cats",
                    manifestURL: "cats/manifest.json")
            ])

        let json = try JSONEncoder().encode(index)

        #expect(try keys(index) == ["categories", "generation", "version"])
        #expect(try JSONDecoder().decode(LibraryIndex.self, from: json) == index)
    }

    private func text(_ value: some Encodable) throws -> String {
        String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    }

    private func keys(_ value: some Encodable) throws -> [String] {
        let object = try JSONSerialization.jsonObject(with: JSONEncoder().encode(value))
        return try #require(object as? [String: Any]).keys.sorted()
    }
}

extension ManifestSticker {
    /// With nothing but what must be there.
    fileprivate static let still = ManifestSticker(
        identifier: StickerID(rawValue: "happy_cat"), title: "happy \"cat\"\n", emojis: [],
        product: StickerProduct(
            recipe: "r", animated: false, encoding: Encoding(mode: .lossless),
            files: [file(.sticker, .webp, "a")]),
        source: Source(name: "happy cat.png", nameEncoding: nil, sha256: digest("e"))
    ) { "../\($0.path)" }

    /// With everything.
    fileprivate static let moving = ManifestSticker(
        identifier: StickerID(rawValue: "caf"), title: "caf%E9", emojis: ["👨‍👩‍👧‍👦"],
        product: StickerProduct(
            recipe: "r", animated: true, encoding: Encoding(mode: .lossy, quality: 71.5, score: 88),
            files: [
                file(.sticker, .webp, "a", moving: true), file(.companion, .gif, "b", moving: true),
                file(.thumbnail, .webp, "c", 400), file(.thumbnail, .png, "d", 144),
                file(.thumbnail, .png, "f", 96),
            ]),
        source: Source(name: "caf%E9.gif", nameEncoding: "percent", sha256: digest("e"))
    ) { "../\($0.path)" }
}

private func digest(_ digit: String) -> ContentHash {
    ContentHash(rawValue: String(repeating: digit, count: 64))
}

private func file(
    _ role: StickerFile.Role, _ format: ImageFormat, _ digit: String, _ side: Int = 512,
    moving: Bool = false
) -> StickerFile {
    StickerFile(
        role: role, format: format, size: PixelSize(width: side, height: side), bytes: 1234,
        sha256: digest(digit), frames: moving ? 12 : nil, durationMilliseconds: moving ? 1200 : nil)
}
