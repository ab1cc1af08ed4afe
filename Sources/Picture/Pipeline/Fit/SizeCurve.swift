import Glibc
import StickerRaster

/// The expected change of lossy file sizes with quality, before encoding.
struct SizeCurve {
    /// log(size) changes by this much per quantizer index near the limit (median of real stickers).
    static let typicalSlope = -0.050
    /// In quantizer indices.
    private static let precision = 0.1

    /// log(size) at a quality.
    let logarithm: (_ quality: Double) -> Double

    /// The curve of stickers in general.
    static var typical: SizeCurve { straight(slope: typicalSlope) }

    /// A straight line over libwebp's quantizer index. Only its shape means anything.
    static func straight(slope: Double) -> SizeCurve {
        SizeCurve { slope * QuantizerIndex.of(quality: $0) }
    }

    /// The predicted curve of the colours of a picture.
    static func foretold(by estimate: LossyEstimate) -> SizeCurve {
        SizeCurve { log(max(1, estimate.bytes(quality: $0))) }
    }

    /// The same shape at another height.
    func raised(by height: Double) -> SizeCurve {
        SizeCurve { logarithm($0) + height }
    }

    /// The highest quality at which the logarithm does not exceed `limit`, searched from `start` on; the lowest quality
    /// if there is none.
    func highestQuality(
        below limit: Double, near start: Double, in range: ClosedRange<Double>
    ) -> Double {
        // Sizes fall in steps, so halving is safer than any secant.
        var over = QuantizerIndex.of(quality: range.upperBound)
        var under = QuantizerIndex.of(quality: range.lowerBound)
        var index = min(max(QuantizerIndex.of(quality: start), over), under)
        var reach = 3.0
        while under - over > Self.precision {
            if logarithm(QuantizerIndex.quality(of: index)) <= limit {
                (under, index) = (index, max((over + index) / 2, index - reach))
            } else {
                (over, index) = (index, min((index + under) / 2, index + reach))
            }
            reach *= 2
        }
        return min(max(QuantizerIndex.quality(of: under), range.lowerBound), range.upperBound)
    }
}

/// Sizes measured at a few qualities; between them the logarithm over libwebp's quantizer index is nearly straight.
struct MeasuredCurve {
    /// How sizes change beyond the measured ones.
    var shape = SizeCurve.typical
    /// By index.
    private var points: [(index: Double, logarithm: Double)] = []

    var isEmpty: Bool { points.isEmpty }

    mutating func note(_ bytes: Int, quality: Double) {
        let index = QuantizerIndex.of(quality: quality)
        guard !points.contains(where: { $0.index == index }) else { return }
        points.append((index, log(Double(max(1, bytes)))))
        points.sort { $0.index < $1.index }
    }

    /// The approximate bytes at a quality; there is at least one point.
    func bytes(quality: Double) -> Double {
        let index = QuantizerIndex.of(quality: quality)
        let next = points.firstIndex { $0.index >= index } ?? points.count
        guard 0 < next, next < points.count else {
            let end = points[min(next, points.count - 1)]
            let change =
                shape.logarithm(quality)
                - shape.logarithm(QuantizerIndex.quality(of: end.index))
            return exp(end.logarithm + change)
        }
        let (a, b) = (points[next - 1], points[next])
        let slope = (b.logarithm - a.logarithm) / (b.index - a.index)
        return exp(a.logarithm + slope * (index - a.index))
    }
}
