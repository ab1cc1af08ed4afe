import StickerCodecs
import StickerRaster
import StickerTestSupport
import StickerValues
import Testing

struct LossyEstimateTests {
    @Test(arguments: [100.0, 98, 95, 90, 75])
    func coloursOfPhotosAreForetold(quality: Double) throws {
        for seed in [UInt64(1), 2, 3] {
            let encoder = WebPEncoder(.photo(.sticker, seed: seed))

            let foretold = try encoder.estimate().bytes(quality: quality)

            let file = try encoder.lossy(quality: quality)
            let bytes = try file.count - #require(encoder.fixedBytes(alphaQuality: 100))
            #expect((0.85...1.15).contains(foretold / Double(bytes)), "\(foretold) for \(bytes)")
        }
    }

    @Test func estimateFallsWithQuality() throws {
        let estimate = try WebPEncoder(.noise(.sticker)).estimate()

        let sizes = stride(from: 100.0, through: 0, by: -5).map { estimate.bytes(quality: $0) }

        #expect(zip(sizes, sizes.dropFirst()).allSatisfy { $0 >= $1 * 0.999 })
    }

    @Test(arguments: [PixelSize(width: 1, height: 1), PixelSize(width: 15, height: 40)])
    func pictureWithoutAWholeMacroblockIsEstimatedToo(size: PixelSize) throws {
        let bytes = try WebPEncoder(.gradient(size)).estimate().bytes(quality: 90)

        #expect((1...2000).contains(bytes))
    }

    @Test func fixedBytesAreKnownOnceTheAlphaPlaneIsCoded() throws {
        let encoder = WebPEncoder(.disc(.sticker))
        let before = encoder.fixedBytes(alphaQuality: 100)

        let file = try encoder.lossy(quality: 90)

        let after = try #require(encoder.fixedBytes(alphaQuality: 100))
        #expect(before == nil && after > 46 && after < file.count)
    }
}
