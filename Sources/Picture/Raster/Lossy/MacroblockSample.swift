import StickerValues

/// One in four macroblocks of a picture, evenly spread, predicted and transformed as by an encoder that
/// predicts from the original instead of its own output.
struct MacroblockSample {
    /// The first column sampled in each row; the pattern repeats every four rows.
    private static let firstColumns: InlineArray<4, Int> = [0, 2, 1, 3]
    private static let zigzag: InlineArray<16, Int> = [
        0, 1, 4, 8, 5, 2, 3, 6, 9, 12, 13, 10, 7, 11, 14, 15,
    ]

    /// Magnitudes of coefficients, see `TokenEntropy.add`: four strips for each macroblock.
    private(set) var luma: [BlockStrip.Lanes] = []
    /// The same, two strips for each macroblock.
    private(set) var color: [BlockStrip.Lanes] = []
    /// One for each macroblock, 0...255: higher where errors are more visible.
    private(set) var susceptibilities: [UInt8] = []
    /// The mean spread of the colours' coefficients.
    private(set) var colorMean = 0.0
    /// How many macroblocks of the picture each sampled one represents; 0 if there is none.
    private(set) var share = 0.0

    init(_ picture: YUVPicture) {
        let (luma, color) = (BorderedPlane(luma: picture), BorderedPlane(colorsOf: picture))
        let (columns, rows) = (picture.size.width / 16, picture.size.height / 16)
        var colorSpreads = 0
        self.luma.reserveCapacity(columns * rows * 16)
        self.color.reserveCapacity(columns * rows * 8)
        for row in 0..<rows {
            for column in stride(from: Self.firstColumns[row % 4], to: columns, by: 4) {
                let spread = addLuma(luma, column * 16, row * 16)
                let colorSpread = addColor(color, column * 16, row * 8)
                colorSpreads += colorSpread
                susceptibilities.append(
                    UInt8(min(max(255 - (3 * spread + colorSpread + 2) / 4, 0), 255)))
            }
        }
        guard !susceptibilities.isEmpty else { return }
        colorMean = Double(colorSpreads) / Double(susceptibilities.count)
        share = Double(picture.size.pixelCount) / 256 / Double(susceptibilities.count)
    }

    /// Predicts the blocks one by one; the spread comes from predicting all sixteen as one.
    private mutating func addLuma(_ plane: BorderedPlane, _ x: Int, _ y: Int) -> Int {
        var spread = Spread()
        for (index, border) in plane.bordersOfSquares(x: x, y: y).enumerated() {
            let strip = plane.strip(x: x, y: y + index * 4)
            spread.add(strip, border)
            let own = plane.borderOfBlocks(x: x, y: y + index * 4)
            Self.store(Self.best(strip, own), in: &luma)
        }
        return spread.value
    }

    private mutating func addColor(_ plane: BorderedPlane, _ x: Int, _ y: Int) -> Int {
        var spread = Spread()
        let strips = plane.bordersOfSquares(x: x, y: y).enumerated().map { index, border in
            (plane.strip(x: x, y: y + index * 4), border)
        }
        for (strip, border) in strips { spread.add(strip, border) }
        var best: (cost: Float, strips: [BlockStrip])?
        for mode in PredictionMode.allCases {
            let left = strips.map { $0.residual($1, mode) }
            let cost = left.reduce(0) { $0 + $1.borderCost.sum() }
            if cost < best?.cost ?? .infinity { best = (cost, left) }
        }
        for strip in best?.strips ?? [] { Self.store(strip, in: &color) }
        return spread.value
    }

    /// Each block, predicted in the mode with the smallest residual.
    private static func best(_ strip: BlockStrip, _ border: BlockBorder) -> BlockStrip {
        var best = strip.residual(border, .average)
        var cost = best.borderCost
        for mode in [PredictionMode.vertical, .horizontal, .trueMotion] {
            let other = strip.residual(border, mode)
            let isBetter = other.borderCost .< cost
            best.replace(with: other, where: isBetter)
            cost.replace(with: other.borderCost, where: isBetter)
        }
        return best
    }

    private static func store(_ strip: BlockStrip, in magnitudes: inout [BlockStrip.Lanes]) {
        for position in 0..<16 {
            magnitudes.append(strip.coefficients[zigzag[position]].magnitude)
        }
    }
}

/// How far the coefficients of a macroblock spread in the better of two modes.
private struct Spread {
    private var flat = Susceptibility()
    private var steep = Susceptibility()

    var value: Int { max(flat.spread, steep.spread) }

    mutating func add(_ strip: BlockStrip, _ border: BlockBorder) {
        flat.add(strip.residual(border, .average))
        steep.add(strip.residual(border, .trueMotion))
    }
}
