import Glibc

/// Finds the highest quality whose file is not above a target, with few encodes.
///
/// Secant on the logarithm of the size against libwebp's own quantizer index, which is nearly a
/// straight line there; fractional qualities; every size is measured, none is trusted.
struct QualitySearch {
    /// log(size) changes by this much per quantizer index near the limit (median of real stickers).
    static let typicalSlope = -0.060

    let target: Int
    /// The qualities that are allowed.
    let qualities: ClosedRange<Double>
    /// A file of this part of the target is good enough.
    var tolerance = 0.98
    /// A guess of how log(size) changes per quantizer index.
    var slope = Self.typicalSlope
    var probesMax = 7

    /// Probes with `encode`, which returns the size of the file for a quality, beginning with `first`.
    ///
    /// - Returns: the best quality that fits, or `nil` where not even the lowest does.
    func best<Failure: Error>(
        from first: Double? = nil, encode: (Double) throws(Failure) -> Int
    ) throws(Failure) -> Double? {
        var over: Probe?
        var under: Probe?
        var quality = first ?? qualities.upperBound
        for _ in 0..<probesMax {
            let probe = Probe(quality: quality, bytes: try encode(quality))
            if probe.bytes <= target { under = probe } else { over = probe }
            guard let next = nextQuality(over: over, under: under) else { break }
            quality = next
        }
        if let under { return under.quality }
        guard over?.quality != qualities.lowerBound else { return nil }
        return try encode(qualities.lowerBound) <= target ? qualities.lowerBound : nil
    }

    private struct Probe {
        var quality: Double
        var bytes: Int
        var index: Double { QuantizerIndex.of(quality: quality) }
    }

    private func nextQuality(over: Probe?, under: Probe?) -> Double? {
        if let under, Double(under.bytes) >= Double(target) * tolerance { return nil }
        let aim = log(Double(target) * (1 + tolerance) / 2)
        switch (over, under) {
        case (let over?, let under?): return between(over, under, aim)
        case (let over?, nil): return lower(over, aim)
        case (nil, let under?): return higher(under, aim)
        case (nil, nil): return nil
        }
    }

    /// A step of at least 2 indices, so that a flat curve does not stall the search.
    private func lower(_ over: Probe, _ aim: Double) -> Double? {
        guard over.quality > qualities.lowerBound else { return nil }
        let index = over.index + max(2, (aim - log(Double(over.bytes))) / slope)
        return max(qualities.lowerBound, QuantizerIndex.quality(of: index))
    }

    private func higher(_ under: Probe, _ aim: Double) -> Double? {
        guard under.quality < qualities.upperBound else { return nil }
        let index = under.index + min(-1, (aim - log(Double(under.bytes))) / slope)
        return min(qualities.upperBound, QuantizerIndex.quality(of: index))
    }

    private func between(_ over: Probe, _ under: Probe, _ aim: Double) -> Double? {
        let width = over.quality - under.quality
        guard width > 0.25 else { return nil }
        let secant =
            (log(Double(under.bytes)) - log(Double(over.bytes))) / (under.index - over.index)
        guard secant < 0 else { return (over.quality + under.quality) / 2 }
        let index = over.index + (aim - log(Double(over.bytes))) / secant
        return min(
            max(QuantizerIndex.quality(of: index), under.quality + width * 0.1),
            over.quality - width * 0.1)
    }
}

/// libwebp's map from quality to its quantizer index 0 (finest) to 127: see `VP8SetSegmentParams`
/// in libwebp's `quant_enc.c`.
enum QuantizerIndex {
    static func of(quality: Double) -> Double {
        let c = quality / 100
        let linear = c < 0.75 ? c * (2.0 / 3) : 2 * c - 1
        return 127 * (1 - cbrt(linear))
    }

    static func quality(of index: Double) -> Double {
        let root = 1 - min(max(index, 0), 127) / 127
        let linear = root * root * root
        return 100 * (linear < 0.5 ? linear * 1.5 : (linear + 1) / 2)
    }
}
