import Glibc

/// Finds the highest quality whose file is not above a target, with few encodes.
///
/// Secant on the logarithm of the size against libwebp's own quantizer index, which is nearly a
/// straight line there once bytes that do not depend on quality, an alpha plane's, are left out;
/// fractional qualities; every size is measured, none is trusted.
struct QualitySearch {
    /// log(size) changes by this much per quantizer index near the limit (median of real stickers).
    static let typicalSlope = -0.050

    private static let near = 1.02

    let target: Int
    /// The qualities that are allowed.
    let qualities: ClosedRange<Double>
    /// A file is good enough that takes this part of what the target leaves for the colours: the last 5 %
    /// bring a tenth of a point of SSIMULACRA2 and cost another two encodes.
    var tolerance = 0.95
    /// A guess of how log(size) changes per quantizer index.
    var slope = Self.typicalSlope
    var probesMax = 7

    /// Probes with `encode`, which returns the size of the file for a quality, beginning with `first`.
    ///
    /// - Returns: the best quality that fits, or `nil` where not even the lowest does.
    func best<Failure: Error>(
        from first: Double? = nil, encode: (Double) throws(Failure) -> Int
    ) throws(Failure) -> Double? {
        try best(from: first, measure: { (quality) throws(Failure) in (try encode(quality), 0) })
    }

    /// The same where `measure` also tells how many of the bytes do not depend on quality.
    func best<Failure: Error>(
        from first: Double? = nil, measure: (Double) throws(Failure) -> (bytes: Int, fixed: Int)
    ) throws(Failure) -> Double? {
        var overs: [Probe] = []
        var under: Probe?
        var quality = first ?? qualities.upperBound
        for _ in 0..<probesMax {
            let (bytes, fixed) = try measure(quality)
            let probe = Probe(quality: quality, bytes: bytes, fixed: fixed)
            // Quality moves in steps inside libwebp: an equal size is the same file.
            let isKnown = bytes == under?.bytes
            if bytes <= target { under = probe } else { overs.append(probe) }
            guard !isKnown, let next = nextQuality(overs, under) else { break }
            quality = next
        }
        if let under { return under.quality }
        guard overs.last?.quality != qualities.lowerBound else { return nil }
        return try measure(qualities.lowerBound).bytes <= target ? qualities.lowerBound : nil
    }

    private struct Probe {
        var quality: Double
        var bytes: Int
        var fixed: Int
        var index: Double { QuantizerIndex.of(quality: quality) }
        var logarithm: Double { log(Double(max(1, bytes - fixed))) }
    }

    private func nextQuality(_ overs: [Probe], _ under: Probe?) -> Double? {
        if let under, Double(under.bytes) >= enough(under) { return nil }
        switch (overs.last, under) {
        case (let over?, let under?): return between(over, under)
        case (let over?, nil): return lower(over, overs.dropLast().last)
        case (nil, let under?): return higher(under)
        case (nil, nil): return nil
        }
    }

    private func enough(_ probe: Probe) -> Double {
        Double(target) - (1 - tolerance) * Double(target - probe.fixed)
    }

    /// What the bytes that depend on quality should come to, as a logarithm.
    private func aim(_ probe: Probe) -> Double {
        log(max(1, (Double(target) + enough(probe)) / 2 - Double(probe.fixed)))
    }

    /// A step of at least half an index, so that a flat curve does not stall the search.
    private func lower(_ over: Probe, _ before: Probe?) -> Double? {
        guard over.quality > qualities.lowerBound, over.fixed < target else { return nil }
        var slope = before.flatMap { secant($0, over) } ?? slope
        // Sizes fall in steps: just above the target the next one is larger than the last were.
        if Double(over.bytes) < Double(target) * Self.near { slope = min(slope, Self.typicalSlope) }
        let index = over.index + max(0.5, (aim(over) - over.logarithm) / slope)
        return max(qualities.lowerBound, QuantizerIndex.quality(of: index))
    }

    private func higher(_ under: Probe) -> Double? {
        guard under.quality < qualities.upperBound else { return nil }
        let index = under.index + min(-1, (aim(under) - under.logarithm) / slope)
        return min(qualities.upperBound, QuantizerIndex.quality(of: index))
    }

    private func between(_ over: Probe, _ under: Probe) -> Double? {
        let width = over.quality - under.quality
        // Quality moves in steps inside libwebp, about one to an index: nothing lies between these.
        guard width > 0.25, under.index - over.index > 0.35 else { return nil }
        guard let secant = secant(over, under) else { return (over.quality + under.quality) / 2 }
        let index = over.index + (aim(over) - over.logarithm) / secant
        return min(
            max(QuantizerIndex.quality(of: index), under.quality + width * 0.1),
            over.quality - width * 0.1)
    }

    /// How log(size) changes per quantizer index between two probes; `nil` where it does not fall.
    private func secant(_ a: Probe, _ b: Probe) -> Double? {
        let secant = (b.logarithm - a.logarithm) / (b.index - a.index)
        return secant < -0.002 ? secant : nil
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
