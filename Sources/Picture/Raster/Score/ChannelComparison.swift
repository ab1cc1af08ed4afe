import StickerValues

/// Compares one channel of a candidate with the canvas at one scale.
///
/// Three maps, each computed from the surroundings of every sample:
/// - structure: 1 - SSIM as SSIMULACRA2 defines it, without the denominator of the means. With d the
///   difference of both pictures, it is m² + (1 - m²) v / (v1 + v2 + C); m and v are mean and variance of
///   d, v1 and v2 the variances of both pictures. So nothing cancels out if they are nearly equal, and
///   everything is 0 if they are equal;
/// - artifacts: how much more a sample departs from its surroundings than it does in the canvas;
/// - lost detail: how much less it departs from them.
final class ChannelComparison: ChannelRows {
    var channel: OpponentChannel { reference.channel }
    private let reference: ChannelReference
    /// Blurs of the difference d, of its square, and of its product with the canvas.
    private let blurs: (RollingBlur, RollingBlur, RollingBlur)
    /// The last rows of d; row y is stored in row y % `RollingBlur.window`.
    private let differences: Plane
    /// For each of these rows, the columns that d reaches when blurred: the first, in whole vectors, and
    /// the one after the last.
    private var starts: [Int]
    private var ends: [Int]
    private let scratch: Plane
    private var sums = MapSums()
    private var y = 0

    init(_ reference: ChannelReference) {
        let size = reference.size
        self.reference = reference
        blurs = (RollingBlur(size: size), RollingBlur(size: size), RollingBlur(size: size))
        differences = Plane(width: size.width, height: RollingBlur.window)
        starts = Array(repeating: .max, count: RollingBlur.window)
        ends = Array(repeating: 0, count: RollingBlur.window)
        scratch = Plane(width: size.width, height: 3)
    }

    /// The averages of the maps, once the last row has been taken.
    var averages: MapAverages { sums.averages(over: reference.size.pixelCount) }

    func append(_ row: Row) {
        let slot = y % RollingBlur.window
        let (original, difference) = (reference.samples[y], differences[slot])
        let (square, product) = (scratch[0], scratch[1])
        for x in scratch.vectorsWithMargins {
            let delta = row[lanes: x] - original[lanes: x]
            difference[lanes: x] = delta
            square[lanes: x] = delta * delta
            product[lanes: x] = delta * original[lanes: x]
        }
        let reach = reach(of: difference)
        (starts[slot], ends[slot]) = reach.map { ($0.lowerBound, $0.upperBound) } ?? (.max, 0)
        let columns = reach ?? 0..<0
        blurs.0.append(difference, y: y, columns: columns)
        blurs.1.append(square, y: y, columns: columns)
        blurs.2.append(product, y: y, columns: columns)
        y += 1
        for ready in RollingBlur.rowsReady(after: y, of: reference.size.height) {
            measure(row: ready)
        }
    }

    /// The columns in which a row is not 0 once it is blurred, starting with a whole vector.
    private func reach(of row: Row) -> Range<Int>? {
        let width = reference.size.width
        guard let first = (0..<width).first(where: { row[$0] != 0 }),
            let last = (0..<width).last(where: { row[$0] != 0 })
        else { return nil }
        let start = max(first - RollingBlur.radius, 0) & ~(Lanes.scalarCount - 1)
        return start..<min(last + RollingBlur.radius + 1, width)
    }

    /// Adds row `y` of the maps to the sums.
    private func measure(row y: Int) {
        guard let start = starts.min(), let end = ends.max(), start < end else { return }
        let columns = start..<end
        blurs.0.blur(row: y, columns: columns, into: scratch[0])
        blurs.1.blur(row: y, columns: columns, into: scratch[1])
        blurs.2.blur(row: y, columns: columns, into: scratch[2])
        sums.add(maps(ofRow: y, columns: columns))
    }

    private func maps(ofRow y: Int, columns: Range<Int>) -> RowSums {
        let (shifts, squares, products) = (scratch[0], scratch[1], scratch[2])
        let (samples, means) = (reference.samples[y], reference.means[y])
        let variances = reference.variances[y]
        let differences = differences[y % RollingBlur.window]
        let width = reference.size.width
        var sums = RowSums()
        for x in stride(from: columns.lowerBound, to: columns.upperBound, by: Lanes.scalarCount) {
            let (shift, mean, variance) = (shifts[lanes: x], means[lanes: x], variances[lanes: x])
            let shift2 = shift * shift
            let spread = atLeast0(squares[lanes: x] - shift2)
            let covariance = products[lanes: x] - shift * mean
            let candidateVariance = atLeast0(variance + covariance + covariance + spread)
            let contrast = variance + candidateVariance + 0.0009
            var structure = atLeast0(shift2 + (1 - shift2) * spread / contrast)
            let deviation = samples[lanes: x] - mean
            let before = magnitude(deviation)
            let after = magnitude(deviation + differences[lanes: x] - shift)
            var edge = (after - before) / (before + 1)
            if x + Lanes.scalarCount > width {
                let beyond = lanes .>= Int32(width - x)
                structure.replace(with: 0, where: beyond)
                edge.replace(with: 0, where: beyond)
            }
            sums.add(structure: structure, edge: edge)
        }
        return sums
    }
}

private let lanes = SIMD8<Int32>(0, 1, 2, 3, 4, 5, 6, 7)

@inline(__always)
private func magnitude(_ value: Lanes) -> Lanes {
    value.replacing(with: -value, where: value .< 0)
}
