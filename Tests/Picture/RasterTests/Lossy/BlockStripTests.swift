import StickerValues
import Testing

@testable import StickerRaster

struct BlockStripTests {
    private static let size = PixelSize(width: 32, height: 32)

    private static func plane(_ sample: (_ x: Int, _ y: Int) -> UInt8) -> BorderedPlane {
        let squares = [UInt8](repeating: 128, count: 256)
        let luma = (0..<1024).map { sample($0 % 32, $0 / 32) }
        return BorderedPlane(
            luma: YUVPicture(
                size: size, luma: luma, blueDifference: squares, redDifference: squares))
    }

    @Test func constantBlockHasOneCoefficient() {
        let strip = Self.plane { _, _ in 100 }.strip(x: 16, y: 8)

        for lane in 0..<4 {
            let values = (0..<16).map { strip.coefficients[$0][lane] }
            #expect(abs(values[0] - 800) < 0.01)
            #expect(values.dropFirst().allSatisfy { abs($0) < 0.01 })
        }
    }

    /// Beyond a picture that ends within a macroblock the samples are 127.
    @Test func colorsLieSideBySideAndEndWithThePicture() {
        let size = PixelSize(width: 20, height: 12)
        let picture = YUVPicture(
            size: size, luma: [UInt8](repeating: 100, count: 20 * 12),
            blueDifference: [UInt8](repeating: 40, count: 10 * 6),
            redDifference: [UInt8](repeating: 200, count: 10 * 6))
        let (luma, colors) = (BorderedPlane(luma: picture), BorderedPlane(colorsOf: picture))

        let means = [luma.strip(x: 16, y: 4), colors.strip(x: 0, y: 0), colors.strip(x: 16, y: 0)]
            .map { $0.coefficients[0] / 8 }

        let expected: [SIMD4<Float>] = [
            [100, 127, 127, 127], [40, 40, 200, 200], [83.5, 127, 163.5, 127],
        ]
        for (mean, expected) in zip(means, expected) {
            #expect((mean - expected).magnitude.max() < 0.01, "\(mean)")
        }
    }

    @Test func transformKeepsTheEnergy() {
        let plane = Self.plane { x, y in UInt8((x * 37 + y * 91 + x * y * 13) % 251) }

        let strip = plane.strip(x: 16, y: 8)

        for lane in 0..<4 {
            var (samples, coefficients) = (Float(0), Float(0))
            for index in 0..<16 {
                let (x, y) = (16 + lane * 4 + index % 4, 8 + index / 4)
                let sample = Float((x * 37 + y * 91 + x * y * 13) % 251)
                samples += sample * sample
                coefficients += strip.coefficients[index][lane] * strip.coefficients[index][lane]
            }
            let gain = coefficients / samples
            #expect(abs(gain - 4) < 0.001)
        }
    }

    @Test(arguments: [
        (PredictionMode.vertical, 3, 0), (.horizontal, 0, 4), (.trueMotion, 3, 4), (.average, 0, 0),
    ])
    func pictureThatAModeForetellsLeavesNothing(mode: PredictionMode, dx: Int, dy: Int) {
        let plane = Self.plane { x, y in UInt8(20 + x * dx + y * dy) }

        let left = plane.strip(x: 16, y: 8).residual(plane.borderOfBlocks(x: 16, y: 8), mode)

        for index in 0..<16 {
            let largest = left.coefficients[index].magnitude.max()
            #expect(largest < 0.01, "coefficient \(index)")
        }
    }

    @Test func borderOfASquareIsThatOfItsMacroblock() {
        let plane = Self.plane { x, y in x < 16 ? 90 : UInt8(50 + y) }

        let borders = plane.bordersOfSquares(x: 16, y: 16)

        #expect(borders.count == 4)
        // 16 samples of 90 to the left, 16 of 50 + 15 above, 90 in the corner.
        let (average, corner) = (borders[2].average[1], borders[2].corner[3])
        #expect(abs(average - 620) < 0.01)
        #expect(abs(corner - 720) < 0.01)
    }
}
