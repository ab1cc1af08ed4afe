import StickerCodecs
import StickerRaster
import StickerTestSupport
import StickerValues
import Testing

struct LosslessEstimateTests {
    @Test func texturedPictureIsForetoldWithinAQuarter() throws {
        for seed in [UInt64(1), 2, 3] {
            let photo = PixelBuffer.photo(.sticker, seed: seed)

            let ratio =
                try Double(WebPEncoder(photo).lossless(level: 0).count)
                / Double(LosslessEstimate(photo).bytes)

            #expect((0.75...1.25).contains(ratio), "\(seed): \(ratio)")
        }
    }

    @Test func drawingHasAPaletteAndAPhotoNone() {
        let (drawing, photo) = (
            LosslessEstimate(.checkerboard(.sticker)), LosslessEstimate(.photo(.sticker))
        )

        #expect(drawing.hasPalette && !photo.hasPalette)
    }

    @Test func transparentPixelsCountAsOneColour() {
        // Each transparent pixel has colours of its own, which are never written.
        let picture = PixelBuffer.drawn(.sticker) { x, y in
            SIMD4(UInt8(x & 255), UInt8(y & 255), 77, 0)
        }

        let estimate = LosslessEstimate(picture)

        #expect(estimate.hasPalette && estimate.bytes == 0)
    }
}
