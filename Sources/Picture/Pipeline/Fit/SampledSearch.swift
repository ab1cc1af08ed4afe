import Glibc
import StickerRaster

/// Finds the highest quality whose whole file does not exceed a target, with sizes predicted from a sample.
struct SampledSearch {
    /// A whole file that takes at least this part of the target is good enough.
    private static let tolerance = 0.98
    /// If even the lowest quality is predicted to exceed the target this much, none is encoded.
    private static let hopeless = 1.15
    private static let wholesMax = 4
    /// Some frames alone may change, so that sizes have no steps.
    private static let indicesMin = 0.1

    let target: Int
    /// The predicted bytes that do not depend on the quality.
    let fixed: Int
    let qualities: ClosedRange<Double>

    init(target: Int, besides fixed: Int, qualities: ClosedRange<Double>) {
        (self.target, self.fixed, self.qualities) = (target, fixed, qualities)
    }

    /// The quality predicted to fit; `nil` if there is none.
    ///
    /// - Parameters:
    ///   - foretold: the likely curve of the other bytes of the whole file.
    ///   - colors: these bytes at a quality, closer.
    /// - Returns: the lowest quality if that is predicted to be a little too large, because predictions are off by that
    ///   much.
    /// - Throws: the errors of `colors`.
    func guess<Failure: Error>(
        near foretold: SizeCurve, colors: (Double) throws(Failure) -> Int
    ) throws(Failure) -> Double? {
        var lowest: Int?
        let curve = SizeCurve { log(Double(fixed) + exp(foretold.logarithm($0))) }
        let search = QualitySearch(target: target, qualities: qualities, curve: curve)
        let guess = try search.best(from: search.foretold) { (quality) throws(Failure) in
            let bytes = try fixed + colors(quality)
            if quality == qualities.lowerBound { lowest = bytes }
            return bytes
        }
        if let guess { return guess }
        let isHopeless = Double(lowest ?? .max) > Double(target) * Self.hopeless
        return isHopeless ? nil : qualities.lowerBound
    }

    /// The same along a known curve.
    func guess(along colors: MeasuredCurve) -> Double? {
        let curve = wholeCurve(colors)
        guard curve.logarithm(qualities.lowerBound) <= log(Double(target) * Self.hopeless) else {
            return nil
        }
        return curve.highestQuality(
            below: log(Double(target) * 0.98), near: qualities.upperBound, in: qualities)
    }

    /// Calls `encode`, whose sizes count, for a few qualities from `guess` on; the caller keeps the files that fit.
    ///
    /// - Parameters:
    ///   - guess: the quality to begin with.
    ///   - colors: the expected change of the size.
    ///   - encode: the true size at a quality.
    /// - Throws: the errors of `encode`.
    func confirm<Failure: Error>(
        _ guess: Double, along colors: MeasuredCurve, encode: (Double) throws(Failure) -> Int
    ) throws(Failure) {
        let search = QualitySearch(
            target: target, qualities: qualities, curve: wholeCurve(colors),
            tolerance: Self.tolerance, probesMax: Self.wholesMax, indicesMin: Self.indicesMin)
        _ = try search.best(from: guess, encode: encode)
    }

    private func wholeCurve(_ colors: MeasuredCurve) -> SizeCurve {
        SizeCurve { log(Double(fixed) + colors.bytes(quality: $0)) }
    }
}
