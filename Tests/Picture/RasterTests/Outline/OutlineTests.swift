import StickerTestSupport
import StickerValues
import Testing

@testable import StickerRaster

/// A border around the shape of a picture.
struct OutlineTests {
    private static let ink = SIMD3<UInt8>(30, 200, 90)
    private static let white = SIMD3<UInt8>(255, 255, 255)

    /// A picture in one colour with the alpha that `shape` gives, 0...1.
    private func picture(
        _ width: Int, _ height: Int, _ shape: (Int, Int) -> Double
    ) -> PixelBuffer {
        PixelBuffer.drawn(PixelSize(width: width, height: height)) { x, y in
            SIMD4(Self.ink, UInt8(min(max(shape(x, y), 0), 1) * 255))
        }
    }

    @Test(arguments: [1, 3, 8, 20])
    func straightEdgeMovesByTheRadius(radius: Int) {
        // The edge lies in the middle of column 10.
        let half = picture(40, 5) { x, _ in x < 10 ? 1 : x == 10 ? 0.5 : 0 }

        let outlined = half.outlined(by: DilationDisc(radius: radius), color: Self.white)

        let row = outlined.size.height / 2
        let covered = (0..<outlined.size.width).map { Double(outlined[$0, row].w) / 255 }
        let width = covered.reduce(0, +)
        #expect(abs(width - (10.5 + 2 * Double(radius))) < 0.03)
    }

    @Test(arguments: [1, 3, 8, 24])
    func circleStaysACircle(radius: Int) {
        let middle = 60.0
        func circle(_ x: Int, _ y: Int, _ middle: Double, _ radius: Double) -> Double {
            let (across, down) = (Double(x) - middle, Double(y) - middle)
            return radius + 0.5 - (across * across + down * down).squareRoot()
        }
        let disc = DilationDisc(radius: radius)

        let outlined = picture(121, 121) { circle($0, $1, middle, 50.2) }
            .outlined(by: disc, color: Self.white)

        var (worst, sum) = (0.0, 0.0)
        for y in 0..<outlined.size.height {
            for x in 0..<outlined.size.width {
                let ideal = circle(x, y, middle + Double(radius), 50.2 + Double(radius))
                let error = Double(outlined[x, y].w) / 255 - min(max(ideal, 0), 1)
                worst = max(worst, abs(error))
                sum += error
            }
        }
        // No pixel of the edge is off by a third, and the whole edge lies where it should but for 0.15 pixels.
        #expect(worst < 0.33)
        #expect(abs(sum) / (2 * .pi * (50.2 + Double(radius))) < 0.15)
    }

    @Test(arguments: [1, 4, 9])
    func shapeIsThatOfTheDefinition(radius: Int) {
        var random = SeededGenerator(seed: 7)
        let noise = PixelBuffer.drawn(PixelSize(width: 41, height: 23)) { _, _ in
            let isThere = UInt8.random(in: 0...9, using: &random) == 0
            return SIMD4(Self.ink, isThere ? .random(in: 0...255, using: &random) : 0)
        }
        let disc = DilationDisc(radius: radius)
        let plain = noise.copy()

        let outlined = noise.outlined(by: disc, color: Self.white)

        for y in 0..<outlined.size.height {
            for x in 0..<outlined.size.width {
                var highest = 0
                for row in max(0, y - 2 * radius)..<min(23, y + 1) {
                    for column in max(0, x - 2 * radius)..<min(41, x + 1) {
                        let (across, down) = (column + radius - x, row + radius - y)
                        let distance = Double(across * across + down * down).squareRoot()
                        let covered = Int(min(max(Double(radius) + 1 - distance, 0), 1) * 128)
                        highest = max(highest, (Int(plain[column, row].w) * covered) >> 7)
                    }
                }
                #expect(Int(outlined[x, y].w) == highest)
            }
        }
    }

    @Test func artItselfStaysAsItIs() {
        let art = picture(30, 30) { x, y in
            (5..<25).contains(x) && (5..<25).contains(y) ? (x < 15 ? 1 : 0.4) : 0
        }
        let plain = art.copy()

        let outlined = art.outlined(by: DilationDisc(radius: 3), color: Self.white)

        // Opaque, evenly translucent and farther than 3 pixels from any change, and translucent beside opaque.
        #expect(outlined[10 + 3, 15 + 3] == plain[10, 15])
        #expect(outlined[21 + 3, 15 + 3] == plain[21, 15])
        #expect(outlined[15 + 3, 15 + 3].w == 255)
        // The border is as translucent as the art beside it.
        #expect(outlined[2 + 3, 15 + 3] == SIMD4(Self.white, 255))
        #expect(outlined[27 + 3, 15 + 3] == SIMD4(Self.white, plain[21, 15].w))
    }

    @Test func softEdgeLiesInFrontOfTheBorder() {
        let art = picture(9, 9) { x, _ in x < 4 ? 1 : x == 4 ? 0.5 : 0 }

        let outlined = art.outlined(by: DilationDisc(radius: 2), color: Self.white)

        // 127 of 255 of the ink, the rest of the border.
        #expect(outlined[4 + 2, 4 + 2] == SIMD4(143, 228, 173, 255))
    }

    @Test func nothingHasNoBorder() {
        let outlined = PixelBuffer(size: PixelSize(width: 7, height: 3))
            .outlined(by: DilationDisc(radius: 8), color: Self.white)

        let (size, isEmpty) = (outlined.size, outlined.isEmpty)
        #expect(size == PixelSize(width: 23, height: 19))
        #expect(isEmpty)
    }
}
