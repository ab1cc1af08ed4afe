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

    @Test func oneRowOfManyColoursIsEnough() {
        let noise = PixelBuffer.noise(.sticker)
        for row in [0, 1, 2, 3, 256, 511] {
            let picture = PixelBuffer.drawn(.sticker) { x, y in
                y == row ? noise[x, y] : SIMD4(10, 20, 30, 255)
            }

            #expect(!LosslessEstimate(picture).hasPalette, "row \(row)")
        }
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
