import Glibc

/// The quantizer indices of a segment.
struct QuantizerIndices: Hashable {
    /// 0...127.
    var luma: Int
    /// 0...127.
    var color: Int
}

/// libwebp's distribution of quality over a picture (its `sns_strength` 50 and four segments, the defaults):
/// macroblocks with easily visible errors get finer quantizers.
///
/// See `analysis_enc.c` and `quant_enc.c` in libwebp.
struct SegmentQuantizers {
    private static let count = 4
    private static let rounds = 6
    /// 0.9 x sns_strength / 100 / 128.
    private static let strength = 0.9 * 0.5 / 128

    /// The segment of each macroblock.
    let segments: [UInt8]
    /// How much finer or coarser each segment is than the whole, -127...127.
    private let shifts: [Double]
    /// The difference of the colours' quantizer index.
    private let colorShift: Int

    /// - Parameters:
    ///   - susceptibilities: one for each macroblock, 0...255; see `Susceptibility`.
    ///   - colorMean: the mean susceptibility of the macroblocks' colours.
    init(_ susceptibilities: [UInt8], colorMean: Double) {
        var histogram = [Int](repeating: 0, count: 256)
        for value in susceptibilities { histogram[Int(value)] += 1 }
        let (centers, middle) = Self.clusters(histogram)
        segments = susceptibilities.map { UInt8(Self.nearest(Int($0), centers)) }
        let width = max(1, (centers.max() ?? 0) - (centers.min() ?? 0))
        shifts = centers.map { Double(min(max(255 * ($0 - middle) / width, -127), 127)) }
        colorShift = min(max(Int((colorMean - 64) * 10 / 70 / 2), -4), 6)
    }

    /// The quantizer indices of all segments at a quality.
    func indices(quality: Double) -> [QuantizerIndices] {
        let base = 1 - QuantizerIndex.of(quality: quality) / 127
        return shifts.map { shift in
            let index = min(max(Int(127 * (1 - pow(base, 1 - Self.strength * shift))), 0), 127)
            return QuantizerIndices(luma: index, color: min(max(index + colorShift, 0), 127))
        }
    }

    /// K-means over a histogram: the centres, and their weighted mean.
    private static func clusters(_ histogram: [Int]) -> (centers: [Int], middle: Int) {
        let values = histogram.indices.filter { histogram[$0] > 0 }
        guard let first = values.first, let last = values.last else { return ([0], 0) }
        var centers = (0..<count).map { first + (2 * $0 + 1) * (last - first) / (2 * count) }
        var middle = first
        for _ in 0..<rounds {
            var (sums, weights) = (
                [Int](repeating: 0, count: count), [Int](repeating: 0, count: count)
            )
            for value in values {
                let center = nearest(value, centers)
                sums[center] += value * histogram[value]
                weights[center] += histogram[value]
            }
            var moved = 0
            for index in 0..<count where weights[index] > 0 {
                let center = (sums[index] + weights[index] / 2) / weights[index]
                moved += abs(center - centers[index])
                centers[index] = center
            }
            let total = weights.reduce(0, +)
            middle = (zip(centers, weights).reduce(total / 2) { $0 + $1.0 * $1.1 }) / total
            if moved < 5 { break }
        }
        return (centers, middle)
    }

    private static func nearest(_ value: Int, _ centers: [Int]) -> Int {
        centers.indices.min { abs(value - centers[$0]) < abs(value - centers[$1]) } ?? 0
    }
}
