import Glibc
public import StickerRaster
public import StickerValues

/// Pictures that prove something, drawn by formula; alpha is straight.
extension PixelBuffer {
    /// A picture whose pixel in column `x` of row `y` is `color(x, y)`: red, green, blue, alpha.
    public static func drawn(
        _ size: PixelSize, _ color: (_ x: Int, _ y: Int) -> SIMD4<UInt8>
    ) -> PixelBuffer {
        var picture = PixelBuffer(size: size)
        for y in 0..<size.height {
            for x in 0..<size.width { picture[x, y] = color(x, y) }
        }
        return picture
    }

    /// A disc of one colour that touches the nearer edges, on transparent black.
    ///
    /// Its edge is anti-aliased: alpha is the share of the pixel inside, to about 1 %, and every
    /// pixel that shows at all has exactly the disc's red, green and blue. Whoever scales straight
    /// alpha by mistake gets a dark rim.
    public static func disc(
        _ size: PixelSize, red: UInt8 = 250, green: UInt8 = 130, blue: UInt8 = 20
    ) -> PixelBuffer {
        let (centreX, centreY) = (Double(size.width) / 2, Double(size.height) / 2)
        let radius = min(centreX, centreY) - 0.5
        return drawn(size) { x, y in
            let distance = hypot(Double(x) + 0.5 - centreX, Double(y) + 0.5 - centreY)
            let coverage = min(1, max(0, radius - distance + 0.5))
            let alpha = UInt8((coverage * 255).rounded())
            return alpha == 0 ? .zero : SIMD4(red, green, blue, alpha)
        }
    }

    /// Red grows from left to right, green from top to bottom, blue stays; opaque.
    public static func gradient(_ size: PixelSize) -> PixelBuffer {
        let (right, bottom) = (max(1, size.width - 1), max(1, size.height - 1))
        return drawn(size) { x, y in
            SIMD4(UInt8(x * 255 / right), UInt8(y * 255 / bottom), 128, 255)
        }
    }

    /// Squares of `cell` pixels, black and white by turns, white in the corner; opaque.
    public static func checkerboard(_ size: PixelSize, cell: Int = 8) -> PixelBuffer {
        drawn(size) { x, y in
            let level: UInt8 = (x / cell + y / cell).isMultiple(of: 2) ? 255 : 0
            return SIMD4(level, level, level, 255)
        }
    }

    /// Every channel of every pixel at random, alpha too unless `opaque`; nothing compresses worse.
    public static func noise(
        _ size: PixelSize, seed: UInt64 = 1, opaque: Bool = true
    ) -> PixelBuffer {
        var generator = SeededGenerator(seed: seed)
        return drawn(size) { _, _ in
            let bits = generator.next()
            let bytes = SIMD4<UInt8>(
                truncatingIfNeeded: SIMD4(bits, bits >> 8, bits >> 16, bits >> 24))
            return opaque ? bytes | SIMD4(0, 0, 0, 255) : bytes
        }
    }

    /// Soft light, a few round things with sharp edges, and grain, as a camera would see; opaque.
    public static func photo(_ size: PixelSize, seed: UInt64 = 1) -> PixelBuffer {
        var generator = SeededGenerator(seed: seed)
        let balls = (0..<8).map { _ in Ball(in: size, using: &generator) }
        let diagonal = Double(size.width + size.height)
        return drawn(size) { x, y in
            let light = 0.5 + 0.5 * sin(5 * Double(x + 2 * y) / diagonal)
            var color = SIMD4<Double>(90 + 80 * light, 120 + 50 * light, 170 - 60 * light, 255)
            if let ball = balls.last(where: { $0.contains(x, y) }) { color = ball.shaded(x, y) }
            let grain = Double(generator.next() % 9) - 4
            color += SIMD4(grain, grain, grain, 0)
            return SIMD4<UInt8>(clamping: SIMD4<Int>(color.rounded(.toNearestOrEven)))
        }
    }
}

/// A shaded round thing of a photo.
private struct Ball {
    private let x: Double
    private let y: Double
    private let radius: Double
    private let color: SIMD4<Double>

    init(in size: PixelSize, using generator: inout SeededGenerator) {
        x = .random(in: 0...Double(size.width), using: &generator)
        y = .random(in: 0...Double(size.height), using: &generator)
        radius = .random(in: 0.05...0.25, using: &generator) * Double(size.longSide)
        color = SIMD4(
            .random(in: 30...240, using: &generator), .random(in: 30...240, using: &generator),
            .random(in: 30...240, using: &generator), 255)
    }

    func contains(_ column: Int, _ row: Int) -> Bool { depth(column, row) < 1 }

    func shaded(_ column: Int, _ row: Int) -> SIMD4<Double> {
        let light = 1 - 0.6 * depth(column, row)
        return color * SIMD4(light, light, light, 1)
    }

    /// 0 in the centre, 1 at the edge.
    private func depth(_ column: Int, _ row: Int) -> Double {
        hypot(Double(column) - x, Double(row) - y) / radius
    }
}

extension PixelBuffer {
    /// By how much a channel of any pixel differs at most, of 255.
    public func largestDifference(from other: borrowing PixelBuffer) -> Int {
        precondition(size == other.size)
        return withUnsafeBytes { own in
            other.withUnsafeBytes { other in
                zip(own, other).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
            }
        }
    }
}
