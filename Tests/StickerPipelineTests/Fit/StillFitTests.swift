import StickerModel
import StickerRaster
import StickerTestSupport
import Testing

@testable import StickerPipeline

struct StillFitTests {
    @Test(arguments: [50_000, 65_000, 80_000], [UInt64(1), 2, 3, 4])
    func photoThatIsTooLargeTakesAnEncodeOrTwo(target: Int, seed: UInt64) throws {
        var fit = StillFit(target: target, qualityMin: 20)

        let found = try #require(try fit.search(.photo(.sticker, seed: seed)))

        #expect(found.quality < 100 && found.bytes <= target)
        #expect(found.bytes > target * 9 / 10, "\(found.bytes) of \(target)")
        #expect(fit.attempts.count <= 3, "\(fit.attempts.map { ($0.mode, $0.quality, $0.bytes) })")
    }

    @Test func photoThatFitsTakesOneEncode() throws {
        var fit = StillFit(target: 110_000, qualityMin: 20)

        let found = try #require(try fit.search(.photo(.sticker)))

        #expect(found.mode == .lossy && found.quality == 100 && fit.attempts.count == 1)
    }

    @Test func cutOutIsJoinedWithItsAlphaPlane() throws {
        let photo = PixelBuffer.photo(.sticker)
        let cutOut = PixelBuffer.drawn(.sticker) { x, y in
            var pixel = photo[x, y]
            let (dx, dy) = (x - 256, y - 256)
            pixel.w = dx * dx + dy * dy < 250 * 250 ? 255 : 0
            return pixel
        }
        var fit = StillFit(target: 50_000, qualityMin: 20)

        let found = try #require(try fit.search(cutOut))

        #expect(found.bytes > 45_000 && found.bytes <= 50_000)
        #expect(found.alphaQuality == 100)
        #expect(
            fit.attempts.count <= 4, "\(fit.attempts.map { ($0.mode, $0.quality, $0.bytes) })")
    }

    @Test func noiseThatCannotFitIsGivenUp() throws {
        var fit = StillFit(target: 20_000, qualityMin: 60)

        let found = try fit.search(.noise(.sticker))

        #expect(found == nil && !fit.attempts.isEmpty)
    }
}
