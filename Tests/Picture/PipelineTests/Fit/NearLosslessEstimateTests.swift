import StickerCodecs
import StickerRaster
import StickerTestSupport
import StickerValues
import Testing

struct NearLosslessEstimateTests {
    @Test(arguments: [UInt64(1), 2, 3])
    func texturedPictureIsForetoldWithinAQuarter(seed: UInt64) throws {
        let photo = PixelBuffer.photo(.sticker, seed: seed)
        let estimate = NearLosslessEstimate(photo).bytes
        let encoder = WebPEncoder(photo)

        let exact = try Double(encoder.lossless(level: 1).count) / Double(estimate[0])
        let near =
            try Double(encoder.nearLossless(level: 3, nearness: 60).count)
            / Double(estimate[2])

        #expect((0.65...1.15).contains(exact), "\(exact)")
        #expect((0.5...1).contains(near), "\(near)")
    }

    @Test func coarserStepsTakeFewerBytes() {
        let bytes = NearLosslessEstimate(.noise(.sticker)).bytes

        #expect(bytes.count == 5 && bytes[4] < bytes[2] && bytes[2] < bytes[0], "\(bytes)")
    }

    @Test func smoothAreasStayExact() {
        let slope = PixelBuffer.drawn(.sticker) { x, _ in
            SIMD4(UInt8(x / 4), UInt8(x / 4), UInt8(x / 4), 255)
        }

        let bytes = NearLosslessEstimate(slope).bytes

        #expect(Set(bytes).count == 1)
    }

    @Test func invisiblePixelsAndTinyPicturesTakeNothing() {
        let hidden = PixelBuffer.drawn(.sticker) { x, y in
            SIMD4(UInt8(x & 255), UInt8(y & 255), 77, 0)
        }

        #expect(NearLosslessEstimate(hidden).bytes == [0, 0, 0, 0, 0])
        #expect(
            NearLosslessEstimate(.noise(PixelSize(width: 2, height: 9))).bytes == [0, 0, 0, 0, 0])
    }
}
