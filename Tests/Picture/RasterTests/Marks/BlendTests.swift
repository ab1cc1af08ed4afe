import StickerRaster
import StickerTestSupport
import StickerValues
import Testing

/// Pictures drawn over others.
struct BlendTests {
    private static let levels: [UInt8] = [0, 1, 2, 60, 127, 128, 200, 254, 255]

    /// Porter and Duff's formula in real numbers.
    private func expected(
        _ source: SIMD4<UInt8>, _ below: SIMD4<UInt8>, _ opacity: Int
    ) -> SIMD4<Double> {
        let above = Double(source.w) / 255 * Double(opacity) / 255
        let rest = Double(below.w) / 255 * (1 - above)
        let alpha = above + rest
        guard alpha > 0 else { return .zero }
        var result = SIMD4<Double>(repeating: alpha * 255)
        for channel in 0..<3 {
            result[channel] =
                (Double(source[channel]) * above + Double(below[channel]) * rest) / alpha
        }
        return result
    }

    @Test(arguments: levels, [0, 1, 128, 255])
    func resultIsThatOfTheFormulaInRealNumbers(alpha: UInt8, opacity: Int) {
        for below in Self.levels {
            for color in Self.levels {
                let source = SIMD4<UInt8>(color, 255 - color, 77, alpha)
                let ground = SIMD4<UInt8>(below, 10, 255 - below, below)
                var canvas = PixelBuffer(size: PixelSize(width: 1, height: 1))
                canvas.fill(ground)
                var mark = PixelBuffer(size: PixelSize(width: 1, height: 1))
                mark.fill(source)

                canvas.blend(mark, x: 0, y: 0, opacity: opacity)

                let found = canvas[0, 0]
                let wanted = expected(source, ground, opacity)
                guard wanted.w > 0 else { continue }
                // The weight of the ground is a whole number of 65025ths.
                let isNear = (0..<4).allSatisfy { abs(Double(found[$0]) - wanted[$0]) <= 1 }
                #expect(isNear, "\(source) on \(ground) at \(opacity): \(found), not \(wanted)")
            }
        }
    }

    @Test(arguments: [(-3, -2), (6, 7), (-20, 0), (0, 30), (2, 2), (-1, -1)])
    func whatLiesOutsideIsCutOff(x: Int, y: Int) {
        let color = SIMD4<UInt8>(9, 8, 7, 255)
        var canvas = PixelBuffer(size: PixelSize(width: 8, height: 9))
        var mark = PixelBuffer(size: PixelSize(width: 5, height: 4))
        mark.fill(color)

        canvas.blend(mark, x: x, y: y, opacity: 255)

        for row in 0..<9 {
            for column in 0..<8 {
                let isInside = x..<x + 5 ~= column && y..<y + 4 ~= row
                #expect(canvas[column, row] == (isInside ? color : .zero))
            }
        }
    }

    @Test func premultipliedPixelsAreTheSameOnAGround() {
        let size = PixelSize(width: 256, height: 256)
        let straight = PixelBuffer.drawn(size) { x, y in
            SIMD4(UInt8(x), UInt8(255 - x), UInt8(y / 2), UInt8(y))
        }
        var multiplied = PixelBuffer.drawn(size) { x, y in
            let pixel = straight[x, y]
            let color = (0..<3).map { UInt8((Int(pixel[$0]) * Int(pixel.w) + 127) / 255) }
            return SIMD4(color[0], color[1], color[2], pixel.w)
        }
        multiplied.unpremultiply()
        var one = PixelBuffer(size: size)
        var other = PixelBuffer(size: size)
        for ground in [SIMD4<UInt8>(255, 255, 255, 255), SIMD4(0, 0, 0, 255)] {
            one.fill(ground)
            other.fill(ground)

            one.blend(straight, x: 0, y: 0, opacity: 255)
            other.blend(multiplied, x: 0, y: 0, opacity: 255)

            let worst = one.largestDifference(from: other)
            #expect(worst <= 1)
        }
    }
}
