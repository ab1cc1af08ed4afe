import Glibc
import StickerRaster

/// Finds the highest quality whose whole file does not exceed a target, with sizes predicted from a sample.
struct SampledSearch {
    /// A whole file that takes at least this part of the target is good enough.
    private static let tolerance = 0.95
    /// If even the lowest quality is predicted to exceed the target this much, none is tried.
    private static let hopeless = 1.15
    private static let wholesMax = 4

    let target: Int
    let qualities: ClosedRange<Double>

    /// Calls `encode`, whose sizes count, for a few qualities; the caller keeps what fits.
    ///
    /// - Parameters:
    ///   - foretell: roughly the size of the whole file at a quality.
    ///   - encode: the true size at a quality.
    /// - Throws: what `foretell` and `encode` throw.
    func run<Failure: Error>(
        foretell: (Double) throws(Failure) -> Int, encode: (Double) throws(Failure) -> Int
    ) throws(Failure) {
        var sizes: [(index: Double, logarithm: Double)] = []
        let lowest = try foretell(qualities.lowerBound)
        guard Double(lowest) <= Double(target) * Self.hopeless else { return }
        let guess = try QualitySearch(target: target, qualities: qualities).best {
            (quality) throws(Failure) in
            let size = try foretell(quality)
            sizes.append((QuantizerIndex.of(quality: quality), log(Double(size))))
            return size
        }
        sizes.append((QuantizerIndex.of(quality: qualities.lowerBound), log(Double(lowest))))
        let search = QualitySearch(
            target: target, qualities: qualities, curve: .straight(slope: Self.slope(of: sizes)),
            tolerance: Self.tolerance, probesMax: Self.wholesMax)
        _ = try search.best(from: guess ?? qualities.lowerBound, encode: encode)
    }

    /// How the sample's log(size) changes per quantizer index, near its end.
    private static func slope(of sizes: [(index: Double, logarithm: Double)]) -> Double {
        guard sizes.count > 2 else { return SizeCurve.typicalSlope }
        let near = sizes.dropLast().suffix(2)
        guard let a = near.first, let b = near.last, abs(a.index - b.index) > 0.5 else {
            return SizeCurve.typicalSlope
        }
        let slope = (a.logarithm - b.logarithm) / (a.index - b.index)
        return slope < -0.005 ? slope : SizeCurve.typicalSlope
    }
}
