import Testing

@testable import StickerRaster

struct SegmentQuantizersTests {
    @Test func evenPictureHasOneQuantizer() {
        let quantizers = SegmentQuantizers(
            [UInt8](repeating: 120, count: 50), colorMean: 64)

        let indices = quantizers.indices(quality: 80)

        let whole = Int(QuantizerIndex.of(quality: 80))
        #expect(
            quantizers.segments.allSatisfy {
                indices[Int($0)] == QuantizerIndices(luma: whole, color: whole)
            })
    }

    @Test func susceptibleMacroblocksGetFinerQuantizers() {
        let quantizers = SegmentQuantizers(
            [UInt8](repeating: 20, count: 50) + [UInt8](repeating: 220, count: 50), colorMean: 64)

        let indices = quantizers.indices(quality: 80)

        let (rough, smooth) = (quantizers.segments[0], quantizers.segments[99])
        #expect(indices[Int(rough)].luma > indices[Int(smooth)].luma)
    }

    @Test func atFullQualityAllQuantizersAreTheFinest() {
        let quantizers = SegmentQuantizers((0..<200).map { UInt8($0) }, colorMean: 10)

        #expect(
            quantizers.indices(quality: 100).allSatisfy {
                $0 == QuantizerIndices(luma: 0, color: 0)
            })
    }

    @Test(arguments: [(0, 4), (54, 58), (55, 60), (83, 116), (84, 119)])
    func stepsAreThoseOfTheStandard(index: Int, step: Float) {
        #expect(QuantizerIndex.step(index) == step)
    }
}
