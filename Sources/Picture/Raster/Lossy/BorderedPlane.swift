import StickerValues

/// Samples, with the values that VP8 assumes above and to the left of a picture (RFC 6386,
/// 12.2 and 12.3): 127 and 129.
///
/// Sixteen columns make up a macroblock: one square of brightness, or two of colour side by side, blue
/// before red.
struct BorderedPlane {
    typealias Lanes = BlockStrip.Lanes

    private static let left = [UInt8](repeating: 129, count: 16)

    private var samples: [UInt8]
    private let stride: Int
    /// Squares in a macroblock: 1 or 2.
    private let squares: Int
    /// Rows of a macroblock.
    let side: Int

    /// Creates the plane of brightness.
    init(luma picture: YUVPicture) {
        self.init(planes: [picture.luma], picture.size)
    }

    /// Creates the plane of both colour differences.
    init(colorsOf picture: YUVPicture) {
        self.init(planes: [picture.blueDifference, picture.redDifference], picture.chromaSize)
    }

    private init(planes: [[UInt8]], _ size: PixelSize) {
        squares = planes.count
        side = 16 / planes.count
        stride = 16 + (size.width + side - 1) / side * 16
        samples = [UInt8](repeating: 127, count: stride * (size.height + 1))
        for y in 0..<size.height {
            samples.replaceSubrange(start(y) - 16..<start(y), with: Self.left)
            for (index, plane) in planes.enumerated() {
                for x in Swift.stride(from: 0, to: size.width, by: side) {
                    let row = plane[y * size.width..<(y + 1) * size.width]
                    let square = row.dropFirst(x).prefix(side)
                    let start = start(y) + x / side * 16 + index * side
                    samples.replaceSubrange(start..<start + square.count, with: square)
                }
            }
        }
    }

    /// Four rows of the sixteen columns from `x` on.
    func strip(x: Int, y: Int) -> BlockStrip {
        BlockStrip([row(x, y), row(x, y + 1), row(x, y + 2), row(x, y + 3)])
    }

    /// The borders of the four blocks at `x`, `y`.
    func borderOfBlocks(x: Int, y: Int) -> BlockBorder {
        let above = BlockStrip.repeatedDown(row(x, y - 1))
        let left = BlockStrip.repeatedRight([
            blocksLeft(x, y), blocksLeft(x, y + 1), blocksLeft(x, y + 2), blocksLeft(x, y + 3),
        ])
        return BlockBorder(
            above: above, left: left, corner: blocksLeft(x, y - 1) * 8,
            average: (above[0] + left[0]) * 0.5)
    }

    /// The borders of the squares of the macroblock at `x`, `y`, one for each row of blocks.
    func bordersOfSquares(x: Int, y: Int) -> [BlockBorder] {
        let above = BlockStrip.repeatedDown(row(x, y - 1))
        let lefts = Swift.stride(from: y, to: y + side, by: 4).map { top in
            BlockStrip.repeatedRight([
                squaresLeft(x, top), squaresLeft(x, top + 1), squaresLeft(x, top + 2),
                squaresLeft(x, top + 3),
            ])
        }
        let sumLeft = lefts.reduce(Lanes.zero) { $0 + $1[0] }
        let average = (overSquares(above[0]) + sumLeft) / Float(lefts.count * 2)
        let corner = squaresLeft(x, y - 1) * 8
        return lefts.map {
            BlockBorder(above: above, left: $0, corner: corner, average: average)
        }
    }

    /// The sum over the blocks of a square, in each of its lanes.
    private func overSquares(_ lanes: Lanes) -> Lanes {
        guard squares == 2 else { return Lanes(repeating: lanes.sum()) }
        let (blue, red) = (lanes[0] + lanes[1], lanes[2] + lanes[3])
        return Lanes(blue, blue, red, red)
    }

    private func row(_ x: Int, _ y: Int) -> SIMD16<Float> {
        let row = samples.withUnsafeBytes {
            $0.loadUnaligned(fromByteOffset: start(y) + x, as: SIMD16<UInt8>.self)
        }
        return SIMD16<Float>(SIMD16<Int32>(truncatingIfNeeded: row))
    }

    private func blocksLeft(_ x: Int, _ y: Int) -> Lanes {
        let start = start(y) + x - 1
        return Lanes(
            Float(samples[start]), Float(samples[start + 4]), Float(samples[start + 8]),
            Float(samples[start + 12]))
    }

    private func squaresLeft(_ x: Int, _ y: Int) -> Lanes {
        let last = Float(samples[start(y) + x - 1])
        guard squares == 2 else { return Lanes(repeating: last) }
        let first = Float(samples[start(y) + x - 9])
        return Lanes(first, first, last, last)
    }

    /// The index of the first column of the picture in row `y`.
    private func start(_ y: Int) -> Int { (y + 1) * stride + 16 }
}
