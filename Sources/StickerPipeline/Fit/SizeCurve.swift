import Glibc
import StickerRaster

/// How the size of lossy files changes with quality, as far as that is known before they are encoded.
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

    /// The highest quality at which the logarithm does not exceed `limit`, searched for from `start` on;
    /// the lowest quality if there is none.
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
