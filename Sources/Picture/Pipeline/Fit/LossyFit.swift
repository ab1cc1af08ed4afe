import Glibc
import StickerCodecs
import StickerRaster
import StickerValues

/// Finds the best lossy WebP of a still under a number of bytes, for each quality of the alpha plane.
///
/// The quality that meets the limit is predicted, so that most stickers need one encode.
struct LossyFit {
    /// At quality 100, the colours take 0.28 to 0.54 of the estimate for a lossless file, those of noise
    /// more.
    private static let shareOfLossless = 0.48

    /// If even the lowest quality is predicted to exceed the target this much, none is encoded.
    private static let hopeless = 1.15

    let encoder: WebPEncoder
    /// The largest file allowed.
    let target: Int
    let qualityMin: Int
    let estimate: LosslessEstimate
    /// All attempts, in order.
    private(set) var attempts: [FitAttempt] = []
    /// How much larger, as a logarithm, colours are than predicted.
    private var height = 0.0

    init(encoder: WebPEncoder, target: Int, qualityMin: Int, estimate: LosslessEstimate) {
        (self.encoder, self.target, self.qualityMin) = (encoder, target, qualityMin)
        self.estimate = estimate
    }

    /// The best file, or `nil` if none fits above the floor.
    ///
    /// The colours share the limit with the alpha plane, whose size does not depend on their quality and is known from
    /// the first file.
    mutating func search(alphaQuality: Int) throws(CodecError) -> FitAttempt? {
        let colors = try encoder.estimate()
        if alphaQuality < 100 || exactAlphaBytes > target,
            let alpha = try encoder.lossyAlpha(quality: alphaQuality)
        {
            // The plane alone is quickly coded, and shows whether there is any room for colours.
            let lowest = Double(qualityMin)
            let bytes = Double(alpha.count) + colors.bytes(quality: lowest) * exp(height)
            guard bytes < Double(target) * Self.hopeless else {
                attempts.append(
                    .guess(
                        .lossy, quality: lowest, alphaQuality: alphaQuality, bytes: Int(bytes)))
                return nil
            }
        }
        let curve = SizeCurve.foretold(by: colors).raised(by: height)
        let first = first(curve, alphaQuality)
        var tried = [try attempt(first, alphaQuality)]
        let fixed = encoder.fixedBytes(alphaQuality: alphaQuality) ?? 0
        let search = search(besides: fixed, curve)
        let best = try search.best(from: first) { (quality) throws(CodecError) in
            if quality != first { tried.append(try attempt(quality, alphaQuality)) }
            return (tried.last?.bytes ?? 0) - fixed
        }
        attempts += tried
        if let last = tried.last, last.quality < 100 {
            height = log(Double(last.bytes - fixed) / colors.bytes(quality: last.quality))
        }
        return tried.first { $0.quality == best && $0.bytes <= target }
    }

    /// The approximate bytes of an exact alpha plane.
    private var exactAlphaBytes: Int { estimate.alphaBytes * 4 / 5 }

    private func attempt(_ quality: Double, _ alphaQuality: Int) throws(CodecError) -> FitAttempt {
        let file = try encoder.lossy(quality: quality, alphaQuality: alphaQuality)
        return FitAttempt(
            .lossy, quality: quality, alphaQuality: alphaQuality, file, target: target)
    }

    private func search(besides fixed: Int, _ curve: SizeCurve) -> QualitySearch {
        QualitySearch(
            target: max(0, target - fixed), qualities: Double(qualityMin)...100, curve: curve)
    }

    /// The first quality: the highest one if it is sure to fit, which costs nothing to predict.
    private func first(_ curve: SizeCurve, _ alphaQuality: Int) -> Double {
        let fixed = encoder.fixedBytes(alphaQuality: alphaQuality) ?? exactAlphaBytes
        let search = search(besides: fixed, curve)
        let top = Double(estimate.bytes) * Self.shareOfLossless
        return top < Double(search.target) ? search.qualities.upperBound : search.foretold
    }
}
