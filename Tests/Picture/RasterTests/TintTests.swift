import StickerTestSupport
import StickerValues
import Testing

@testable import StickerRaster

/// Art in other colours.
struct TintTests {
    private static let pixels: [SIMD4<UInt8>] = [
        SIMD4(0, 0, 0, 255), SIMD4(255, 255, 255, 255), SIMD4(255, 255, 255, 40),
        SIMD4(255, 0, 0, 255), SIMD4(0, 255, 0, 255), SIMD4(0, 0, 255, 255), .zero,
        SIMD4(128, 128, 128, 255),
    ]

    private var picture: PixelBuffer {
        PixelBuffer.drawn(PixelSize(width: Self.pixels.count, height: 1)) { x, _ in Self.pixels[x] }
    }

    private func row(_ picture: borrowing PixelBuffer) -> [SIMD4<UInt8>] {
        var row: [SIMD4<UInt8>] = []
        for x in 0..<picture.size.width { row.append(picture[x, 0]) }
        return row
    }

    @Test func shapeIsFilled() {
        let filled = picture.filled(with: SIMD3(10, 20, 30))

        #expect(row(filled) == Self.pixels.map { $0.w == 0 ? .zero : SIMD4(10, 20, 30, $0.w) })
    }

    @Test func brightnessBecomesShadesOfTheColor() {
        let colorized = picture.colorized(by: SIMD3(200, 100, 0))

        // Luma 0, 255, 255, 54, 182, 18 and 128 of 255 (BT.709).
        #expect(
            row(colorized) == [
                SIMD4(0, 0, 0, 255), SIMD4(200, 100, 0, 255), SIMD4(200, 100, 0, 40),
                SIMD4(42, 21, 0, 255), SIMD4(143, 71, 0, 255), SIMD4(14, 7, 0, 255), .zero,
                SIMD4(100, 50, 0, 255),
            ])
    }
}
