import StickerRaster
import StickerTestSupport
import StickerValues
import Testing

struct RepetitionTests {
    /// A different colour for each place, without any pattern.
    private func noise(_ x: Int, _ y: Int) -> SIMD4<UInt8> {
        var value = UInt32(truncatingIfNeeded: y << 9 | x) &* 0x9E37_79B1
        value = (value ^ value >> 15) &* 0x85EB_CA77
        return SIMD4(
            UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value >> 16),
            UInt8(truncatingIfNeeded: value >> 24), 255)
    }

    @Test func noiseDoesNotRepeat() {
        #expect(Repetition(.drawn(.sticker, noise)).share < 0.01)
        #expect(Repetition(.photo(.sticker)).share < 0.05)
    }

    @Test func tilesAreFoundWhereverTheyLie() {
        // Four copies across and three down, of a size that no power of two divides.
        let tiles = PixelBuffer.drawn(.sticker) { x, y in noise(x % 127, y % 171) }

        #expect(Repetition(tiles).share > 0.8)
    }

    @Test func quarterThatIsACopyIsAQuarter() {
        let copied = PixelBuffer.drawn(.sticker) { x, y in noise(x, y % 384) }

        #expect((0.2...0.3).contains(Repetition(copied).share))
    }

    @Test func plainPicturesHaveNothingToRepeat() {
        #expect(Repetition(.drawn(.sticker) { _, _ in SIMD4(10, 20, 30, 255) }).share == 0)
    }
}
