/// Four 4x4 blocks of samples side by side, transformed as VP8 does (RFC 6386, 14.3), but in floating
/// point: a constant block of value v gives the coefficient 8 v.
///
/// Each coefficient is a vector with one lane per block; they are stored row by row, lower frequencies
/// first.
struct BlockStrip {
    typealias Lanes = SIMD4<Float>

    private static let half: Float = 0.707_106_8
    private static let cosine: Float = 0.923_879_5
    private static let sine: Float = 0.382_683_4

    private(set) var coefficients: InlineArray<16, Lanes>

    /// Transforms four rows of 16 samples.
    init(_ rows: InlineArray<4, SIMD16<Float>>) {
        let columns = Self.transformed(rows[0], rows[1], rows[2], rows[3])
        coefficients = InlineArray(repeating: .zero)
        for row in 0..<4 {
            let line = Self.horizontally(columns[row])
            for column in 0..<4 { coefficients[row * 4 + column] = line[column] }
        }
    }

    /// The first row of coefficients of blocks that repeat these 16 samples downwards.
    static func repeatedDown(_ samples: SIMD16<Float>) -> InlineArray<4, Lanes> {
        horizontally(samples * (4 * half))
    }

    /// The first column of coefficients of blocks that repeat these samples to the right; each vector is
    /// a row, each lane a block.
    static func repeatedRight(_ rows: InlineArray<4, Lanes>) -> InlineArray<4, Lanes> {
        var column = transformed(rows[0], rows[1], rows[2], rows[3])
        for index in 0..<4 { column[index] *= 4 * half }
        return column
    }

    /// The residual after predicting the blocks from `border` in `mode`.
    func residual(_ border: BlockBorder, _ mode: PredictionMode) -> BlockStrip {
        var left = self
        switch mode {
        case .average:
            left.coefficients[0] -= border.average
        case .vertical:
            for index in 0..<4 { left.coefficients[index] -= border.above[index] }
        case .horizontal:
            for index in 0..<4 { left.coefficients[index * 4] -= border.left[index] }
        case .trueMotion:
            for index in 0..<4 { left.coefficients[index] -= border.above[index] }
            for index in 0..<4 { left.coefficients[index * 4] -= border.left[index] }
            left.coefficients[0] += border.corner
        }
        return left
    }

    /// The sum of the coefficients that a prediction changes; all others are the same in every mode.
    var borderCost: Lanes {
        var sum = coefficients[0].magnitude
        for index in 1..<4 {
            sum += coefficients[index].magnitude + coefficients[index * 4].magnitude
        }
        return sum
    }

    /// Takes the blocks of `other` in the lanes of `mask`.
    mutating func replace(with other: BlockStrip, where mask: SIMDMask<SIMD4<Int32>>) {
        for index in 0..<4 {
            coefficients[index].replace(with: other.coefficients[index], where: mask)
        }
        for index in 1..<4 {
            coefficients[index * 4].replace(with: other.coefficients[index * 4], where: mask)
        }
    }

    private static func horizontally(_ samples: SIMD16<Float>) -> InlineArray<4, Lanes> {
        transformed(
            samples.evenHalf.evenHalf, samples.oddHalf.evenHalf, samples.evenHalf.oddHalf,
            samples.oddHalf.oddHalf)
    }

    @inline(__always)
    private static func transformed<Vector: SIMD>(
        _ a: Vector, _ b: Vector, _ c: Vector, _ d: Vector
    ) -> InlineArray<4, Vector> where Vector.Scalar == Float {
        let (outer, inner) = (a + d, b + c)
        let (slope, curve) = (a - d, b - c)
        return [
            (outer + inner) * half, slope * cosine + curve * sine, (outer - inner) * half,
            slope * sine - curve * cosine,
        ]
    }
}

/// How VP8 predicts a block from the samples above it and to its left (RFC 6386, 12).
enum PredictionMode: CaseIterable {
    case average, vertical, horizontal, trueMotion
}

/// The samples around four blocks, transformed.
struct BlockBorder {
    typealias Lanes = BlockStrip.Lanes

    /// See `BlockStrip.repeatedDown`.
    var above: InlineArray<4, Lanes>
    /// See `BlockStrip.repeatedRight`.
    var left: InlineArray<4, Lanes>
    /// The coefficient of the sample above and to the left.
    var corner: Lanes
    /// The coefficient of the mean of the row above and the column to the left.
    var average: Lanes
}

extension SIMD4<Float> {
    /// The absolute values.
    var magnitude: Self {
        unsafeBitCast(unsafeBitCast(self, to: SIMD4<UInt32>.self) & 0x7FFF_FFFF, to: Self.self)
    }
}
