import Glibc
import StickerRaster

/// Finds the highest quality whose file does not exceed a target, with few encodes.
///
/// The shape of a curve is predicted; its height is that of the last file. Between a file that fits and one that does
/// not, the search follows a secant of the logarithm of the size over libwebp's own quantizer index, which is nearly a
/// straight line. Every size is measured.
struct QualitySearch {
    /// The first aim as a part of the target, because predicted sizes are off by a few percent.
    private static let firstAim = 0.975
    /// The aim as a part of the target once the curve's height is known.
    private static let aim = 0.99

    let target: Int
    /// The allowed qualities.
    let qualities: ClosedRange<Double>
    /// The expected change of sizes.
    var curve = SizeCurve.typical
    /// A file that takes at least this part of the target is good enough. libwebp's quantizers move in
    /// steps of 4 %, which are worth a third of a point of SSIMULACRA2.
    var tolerance = 0.94
    var probesMax = 7
    /// The smallest step, in quantizer indices, so that a flat curve does not stall the search.
    var indicesMin = 0.5

    /// Probes with `encode`, which returns the size of the file for a quality, beginning with `first`.
    ///
    /// - Returns: the best quality that fits, or `nil` if not even the lowest one does.
    func best<Failure: Error>(
        from first: Double? = nil, encode: (Double) throws(Failure) -> Int
    ) throws(Failure) -> Double? {
        var (over, before): (Probe?, Probe?)
        var under: Probe?
        var quality = first ?? qualities.upperBound
        for _ in 0..<probesMax {
            let probe = Probe(quality: quality, bytes: try encode(quality))
            // Quality moves in steps inside libwebp: equal sizes mean equal files.
            let isKnown = under.map { [$0.bytes, over?.bytes].contains(probe.bytes) } ?? false
            if probe.bytes <= target { under = probe } else { (over, before) = (probe, over) }
            guard !isKnown, let next = nextQuality(over, before, under) else { break }
            quality = next
        }
        if let under { return under.quality }
        guard over?.quality != qualities.lowerBound else { return nil }
        return try encode(qualities.lowerBound) <= target ? qualities.lowerBound : nil
    }

    /// The quality at which `curve` meets the target, for curves whose height is predicted, too.
    var foretold: Double {
        curve.highestQuality(
            below: logarithm(Self.firstAim), near: qualities.upperBound, in: qualities)
    }

    private struct Probe {
        var quality: Double
        var bytes: Int
        var index: Double { QuantizerIndex.of(quality: quality) }
        var logarithm: Double { log(Double(max(1, bytes))) }
    }

    private func logarithm(_ part: Double) -> Double { log(max(1, Double(target) * part)) }

    private func nextQuality(_ over: Probe?, _ before: Probe?, _ under: Probe?) -> Double? {
        if let under, Double(under.bytes) >= Double(target) * tolerance { return nil }
        switch (over, under) {
        case (let over?, let under?): return between(over, under)
        case (let over?, nil): return lower(over, before)
        case (nil, let under?): return higher(under)
        case (nil, nil): return nil
        }
    }

    private func lower(_ over: Probe, _ before: Probe?) -> Double? {
        guard over.quality > qualities.lowerBound else { return nil }
        let farthest = QuantizerIndex.quality(of: over.index + indicesMin)
        // Two files show the slope better than any prediction.
        let slope = before.map { (over.logarithm - $0.logarithm) / (over.index - $0.index) }
        let known = slope.map { SizeCurve.straight(slope: min($0, -0.01)) } ?? curve
        return max(qualities.lowerBound, min(farthest, quality(along: over, known)))
    }

    private func higher(_ under: Probe) -> Double? {
        guard under.quality < qualities.upperBound else { return nil }
        let nearest = QuantizerIndex.quality(of: under.index - indicesMin)
        return min(qualities.upperBound, max(nearest, quality(along: under, curve)))
    }

    /// The quality at which the curve through a probe meets the target.
    private func quality(along probe: Probe, _ curve: SizeCurve) -> Double {
        let height = probe.logarithm - curve.logarithm(probe.quality)
        return curve.highestQuality(
            below: logarithm(Self.aim) - height, near: probe.quality, in: qualities)
    }

    private func between(_ over: Probe, _ under: Probe) -> Double? {
        let width = over.quality - under.quality
        // Quality moves in steps inside libwebp, about one per index: there is little between these.
        guard width > 0.25, under.index - over.index > 0.35 else { return nil }
        let slope = (under.logarithm - over.logarithm) / (under.index - over.index)
        guard slope < -0.002 else { return (over.quality + under.quality) / 2 }
        let index = over.index + (logarithm((1 + tolerance) / 2) - over.logarithm) / slope
        return min(
            max(QuantizerIndex.quality(of: index), under.quality + width * 0.1),
            over.quality - width * 0.1)
    }
}
