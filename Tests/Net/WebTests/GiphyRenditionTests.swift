import StickerTestSupport
import StickerValues
import Testing

@testable import StickerWeb

/// Which file is a rendition of a sticker.
struct GiphyRenditionTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func file(
        _ role: StickerFile.Role, _ format: ImageFormat, _ width: Int, _ height: Int? = nil,
        frames: Int? = nil, bytes: Int = 1000
    ) -> PublishedSticker.File {
        PublishedSticker.File(
            role: role, format: format, url: "\(role)-\(format)-\(width)", width: width,
            height: height ?? width, bytes: bytes, frames: frames)
    }

    /// The addresses of the renditions of a sticker, by name.
    private func renditions(
        _ files: [PublishedSticker.File], moves: Bool = false
    ) throws -> [String: String] {
        let published = PublishedSticker(
            identifier: StickerID(rawValue: "wave"), title: "", emojis: [], animated: moves,
            imageURL: files.first { $0.role == .sticker }?.url ?? "", files: files)
        let category = PublishedCategory(
            identifier: CategoryID(rawValue: "cats"), title: "", generation: 1,
            stickers: [published])
        let wording = StickerWording(addresses: PublicAddresses(base: "http://a/"))
        let index = try SearchIndex(folder: folder.path, readers: 1)
        try index.change(
            removing: [], adding: [wording.row(of: published, in: category, at: 1)])
        let body = try #require(try index.one(published.identifier, .whole))
        let sticker = try #require(try FoundSticker.read([body]).first)
        let found = GiphyRendition.all.compactMap { rendition in
            rendition.picture(of: sticker).map { picture in
                (rendition.name, picture.url.replacing("http://a/cats/", with: ""))
            }
        }
        return Dictionary(uniqueKeysWithValues: found)
    }

    @Test func stillIsTheSmallestThatIsLargeEnough() throws {
        let found = try renditions([
            file(.sticker, .webp, 512), file(.companion, .png, 512), file(.rendition, .png, 240),
            file(.thumbnail, .png, 144), file(.thumbnail, .webp, 96), file(.tray, .png, 96),
        ])
        #expect(found.count == GiphyRendition.all.count)
        #expect(
            found["original"] == "companion-png-512" && found["original_still"] == found["original"]
        )
        #expect(found["fixed_width"] == "rendition-png-240")
        #expect(found["fixed_height_small"] == "thumbnail-png-144")
        #expect(found["preview_webp"] == "sticker-webp-512")
    }

    @Test func nameIsThatOfASide() throws {
        let found = try renditions([
            file(.sticker, .webp, 512, 256), file(.rendition, .png, 200, 100),
            file(.rendition, .png, 400, 200),
        ])
        #expect(found["fixed_width"] == "rendition-png-200")
        #expect(found["fixed_height"] == "rendition-png-400")
        #expect(found["fixed_height_small"] == "rendition-png-200")
    }

    @Test func targetsOfGIPHYHaveThePixelsOfTheNames() throws {
        let sides = ["giphy", "giphy_small"].map { Target.builtIn[$0]?.canvas.width }
        #expect(sides == [200, 100])

        let found = try renditions(
            [
                file(.sticker, .webp, 512, frames: 9), file(.companion, .gif, 320, frames: 9),
                file(.poster, .webp, 512), file(.thumbnail, .png, 144),
                file(.rendition, .gif, 200, frames: 9), file(.rendition, .gif, 100, frames: 9),
            ], moves: true)
        #expect(found["fixed_width"] == "rendition-gif-200")
        #expect(found["fixed_height"] == "rendition-gif-200")
        #expect(found["fixed_width_small"] == "rendition-gif-100")
        #expect(found["fixed_width_small_still"] == "thumbnail-png-144")
    }

    @Test func movingOneHasStillsOfItsFirstFrame() throws {
        let found = try renditions(
            [
                file(.sticker, .webp, 512, frames: 9),
                file(.companion, .gif, 320, frames: 9, bytes: 2_500_000),
                file(.poster, .webp, 512), file(.thumbnail, .png, 144),
                file(.rendition, .png, 240, frames: 9),
            ], moves: true)
        #expect(found["original"] == "companion-gif-320")
        #expect(found["fixed_width_downsampled"] == "companion-gif-320")
        #expect(found["original_still"] == "poster-webp-512")
        #expect(found["fixed_width_small_still"] == "thumbnail-png-144")
        #expect(found["downsized"] == nil && found["downsized_medium"] == "companion-gif-320")
    }

    @Test func withoutACompanionItIsTheSticker() throws {
        let found = try renditions([file(.sticker, .webp, 512, frames: 2)], moves: true)
        #expect(found["original"] == "sticker-webp-512")
        #expect(found["preview_gif"] == nil && found["original_still"] == nil)
    }

    @Test func pictureOfAnotherShapeIsLeftOut() throws {
        let found = try renditions([
            file(.sticker, .webp, 512, 300), file(.rendition, .png, 240, 240),
            file(.thumbnail, .png, 144, 84),
        ])
        #expect(found["fixed_width"] == "sticker-webp-512")
        #expect(found["fixed_width_small"] == "thumbnail-png-144")
    }

    @Test func stickerWithoutFilesHasNone() throws {
        #expect(try renditions([]).isEmpty)
    }
}
