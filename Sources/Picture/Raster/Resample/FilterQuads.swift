/// The weights of an axis for four target pixels at a time.
///
/// Each of the four has a sum of its own, so none waits for another's last addition. The order of additions is that of
/// `FilterWeights`, and so is every bit of the sums.
struct FilterQuads {
    /// Where windows of four neighbouring targets begin in a row, and as many weights as the longest has.
    private struct Quad {
        var starts: SIMD4<Int>
        var count: Int
        var offset: Int
    }

    private let quads: [Quad]
    /// Those of four targets for one source pixel of each; 0 behind the end of a shorter window.
    private let weights: [SIMD4<Float>]
    /// Pixels of a source row, with those that only weights of 0 reach.
    let sourceCount: Int

    /// The number of target pixels, rounded up to fours.
    var targetCount: Int { 4 * quads.count }

    init(_ filter: FilterWeights, source: Int) {
        var quads: [Quad] = []
        var weights: [SIMD4<Float>] = []
        var end = source
        for first in stride(from: 0, to: filter.starts.count, by: 4) {
            let targets = (0..<4).map { min(first + $0, filter.starts.count - 1) }
            let count = targets.map { filter.counts[$0] }.max() ?? 0
            let starts = SIMD4(targets.map { filter.starts[$0] })
            quads.append(Quad(starts: starts, count: count, offset: weights.count))
            for tap in 0..<count {
                weights.append(SIMD4(targets.map { filter.weight($0, tap: tap) }))
            }
            end = max(end, starts.max() + count)
        }
        (self.quads, self.weights, sourceCount) = (quads, weights, end)
    }

    /// Scales a row of `sourceCount` pixels, finite ones behind the end too, to one of `targetCount`.
    func scale(
        _ row: UnsafePointer<SIMD4<Float>>, into result: UnsafeMutablePointer<SIMD4<Float>>
    ) {
        weights.withUnsafeBufferPointer { weights in
            var result = result
            for quad in quads {
                let (a, b) = (row + quad.starts.x, row + quad.starts.y)
                let (c, d) = (row + quad.starts.z, row + quad.starts.w)
                var (first, second) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
                var (third, fourth) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
                for tap in 0..<quad.count {
                    let weight = weights[quad.offset &+ tap]
                    first += a[tap] * weight.x
                    second += b[tap] * weight.y
                    third += c[tap] * weight.z
                    fourth += d[tap] * weight.w
                }
                (result[0], result[1], result[2], result[3]) = (first, second, third, fourth)
                result += 4
            }
        }
    }
}
