import StickerCodecs
import StickerRaster
import StickerTestSupport
import StickerValues
import Testing

struct LosslessEstimateTests {
    private func sizes(_ estimate: LosslessEstimate) -> [Int] {
        [1, 2, 4, 8, 16].map { estimate.bytes(ResidualSteps(green: $0, others: $0)) }
    }

    @Test(arguments: [UInt64(1), 2, 3])
    func texturedPictureIsForetold(seed: UInt64) throws {
        let photo = PixelBuffer.photo(.sticker, seed: seed)
        let estimate = sizes(LosslessEstimate(photo))
        let encoder = WebPEncoder(photo)

        let exact = try Double(encoder.lossless(level: 1).count) / Double(estimate[0])
        let near =
            try Double(
                encoder.nearLossless(level: 3, steps: ResidualSteps(green: 4, others: 4)).count)
            / Double(estimate[2])

        #expect((0.65...1.15).contains(exact), "\(exact)")
        #expect((0.9...1.2).contains(near), "\(near)")
    }

    @Test func coarserStepsTakeFewerBytes() {
        let bytes = sizes(LosslessEstimate(.noise(.sticker)))

        #expect(bytes.count == 5 && bytes[4] < bytes[2] && bytes[2] < bytes[0], "\(bytes)")
    }

    @Test func redAndBlueSaveByThemselves() {
        let estimate = LosslessEstimate(.noise(.sticker))

        let sizes = [(1, 1), (1, 2), (2, 2), (2, 4), (4, 4)].map { green, others in
            estimate.bytes(ResidualSteps(green: green, others: others))
        }

        #expect(zip(sizes, sizes.dropFirst()).allSatisfy { $1 < $0 }, "\(sizes)")
    }

    /// Gray is predicted by green alone; where channels have nothing in common, subtracting adds noise.
    @Test func greenIsSubtractedOnlyWhereThatPays() {
        let photo = PixelBuffer.photo(.sticker)
        let noise = PixelBuffer.noise(.sticker)
        let gray = PixelBuffer.drawn(.sticker) { x, y in
            SIMD4(noise[x, y].x, noise[x, y].x, noise[x, y].x, 255)
        }
        let green = PixelBuffer.drawn(.sticker) { x, y in
            SIMD4(photo[x, y].x, noise[x, y].y, photo[x, y].z, 255)
        }

        let one = ResidualSteps(green: 1, others: 1)
        let (ofNoise, ofGray, ofGreen) = (
            LosslessEstimate(noise).bytes(one), LosslessEstimate(gray).bytes(one),
            LosslessEstimate(green).bytes(one)
        )

        #expect(ofGray * 5 < ofNoise * 2 && ofGreen * 5 < ofNoise * 4)
    }

    @Test func smoothAreasStayExact() {
        // No two neighbours differ by more than 2, and nothing can be predicted.
        let noise = PixelBuffer.noise(.sticker)
        let smooth = PixelBuffer.drawn(.sticker) { x, y in
            SIMD4(100 + noise[x, y].x % 3, 200 + noise[x, y].y % 3, 10, 255)
        }

        let bytes = sizes(LosslessEstimate(smooth))

        #expect(Set(bytes).count == 1 && bytes[0] > 10_000, "\(bytes)")
    }

    @Test func alphaPlaneIsForetold() throws {
        let noise = PixelBuffer.noise(.sticker)
        let veil = PixelBuffer.drawn(.sticker) { x, y in SIMD4(9, 9, 9, 128 | noise[x, y].x) }

        let plane = try #require(try WebPEncoder(veil).lossyAlpha(quality: 100))
        let ratio = Double(plane.count) / Double(LosslessEstimate(veil).alphaBytes)

        #expect((0.8...1.2).contains(ratio), "\(ratio)")
        #expect(LosslessEstimate(.photo(.sticker)).alphaBytes == 0)
    }

    @Test func invisiblePixelsAndTinyPicturesTakeNothing() {
        let hidden = PixelBuffer.drawn(.sticker) { x, y in
            SIMD4(UInt8(x & 255), UInt8(y & 255), 77, 0)
        }

        #expect(sizes(LosslessEstimate(hidden)) == [0, 0, 0, 0, 0])
        for (width, height) in [(1, 1), (2, 9), (9, 2)] {
            let tiny = LosslessEstimate(.noise(PixelSize(width: width, height: height)))
            #expect(sizes(tiny) == [0, 0, 0, 0, 0] && tiny.alphaBytes == 0)
        }
    }
}
