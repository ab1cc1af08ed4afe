import StickerRaster

/// Finds the lowest quality that reaches a score, with few encodes.
///
/// Regula falsi on the score against libwebp's quantizer index; every score is measured.
struct ScoreSearch {
    /// The score falls by this much per quantizer index (median of real stickers at high quality).
    private static let typicalSlope = -0.85
    private static let gentlestSlope = -0.15
    /// Roughly the score at quality 100.
    private static let typicalTop = 95.0
    /// How far the score may be above the target.
    private static let tolerance = 0.5
    let target: Double
    /// The allowed qualities.
    let qualities: ClosedRange<Double>
    var probesMax = 7

    /// Probes with `score`, which returns the score at a quality, or `nil` if going on is pointless;
    /// begins with `first`.
    ///
    /// - Returns: the lowest quality found that reaches the target, or `nil` if none does.
    func lowest<Failure: Error>(
        from first: Double? = nil, score: (Double) throws(Failure) -> Double?
    ) throws(Failure) -> Double? {
        var probes: [Probe] = []
        var index =
            first.map(QuantizerIndex.of) ?? (target - Self.typicalTop) / Self.typicalSlope
        for _ in 0..<probesMax {
            let quality = clamped(QuantizerIndex.quality(of: index))
            guard let found = try score(quality) else { break }
            probes.append(Probe(quality: quality, score: found))
            guard let next = nextIndex(probes) else { break }
            index = next
        }
        return good(probes)?.quality
    }

    private func good(_ probes: [Probe]) -> Probe? {
        probes.filter { $0.score >= target }.max { $0.index < $1.index }
    }

    /// A quality whose score is higher by roughly `points`.
    func higher(than quality: Double, by points: Double) -> Double {
        let step = (points + Self.tolerance) / Self.typicalSlope
        return clamped(QuantizerIndex.quality(of: QuantizerIndex.of(quality: quality) + step))
    }

    private struct Probe {
        var quality: Double
        var score: Double
        var index: Double { QuantizerIndex.of(quality: quality) }
    }

    private func nextIndex(_ probes: [Probe]) -> Double? {
        let good = good(probes)
        let bad = probes.filter { $0.score < target }.min { $0.index < $1.index }
        if let good, good.score <= target + Self.tolerance { return nil }
        let aim = target + Self.tolerance / 2
        switch (good, bad) {
        case (let good?, let bad?):
            let width = bad.index - good.index
            // Quality moves in steps inside libwebp, about one per index.
            guard width > 0.5 else { return nil }
            let part = (good.score - aim) / (good.score - bad.score)
            return good.index + width * min(max(part, 0.1), 0.9)
        case (let good?, nil):
            guard good.quality > qualities.lowerBound else { return nil }
            return good.index + max(1, (aim - good.score) / slope(probes))
        case (nil, let bad?):
            guard bad.quality < qualities.upperBound else { return nil }
            return bad.index + min(-1, (aim - bad.score) / slope(probes))
        case (nil, nil): return nil
        }
    }

    /// The slope between the last two probes; the score falls more slowly at low quality.
    private func slope(_ probes: [Probe]) -> Double {
        let last = probes.suffix(2)
        guard let a = last.first, let b = last.last, abs(a.index - b.index) > 0.5 else {
            return Self.typicalSlope
        }
        return min((a.score - b.score) / (a.index - b.index), Self.gentlestSlope)
    }

    private func clamped(_ quality: Double) -> Double {
        min(max(quality, qualities.lowerBound), qualities.upperBound)
    }
}
