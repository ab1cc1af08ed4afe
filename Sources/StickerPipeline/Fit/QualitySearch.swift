import Glibc

/// Finds the highest quality whose file is not above a target, with few encodes.
///
/// Secant on the logarithm of the size against libwebp's own quantizer index, which is nearly a
/// straight line there; fractional qualities; every size is measured, none is trusted.
struct QualitySearch {
    /// Sizes may stay this far below the target: 2 %.
    private static let tolerance = 0.98
    /// log(size) changes by this much per quantizer index near the limit (median of real stickers).
    private static let typicalSlope = -0.060
    private static let probesMax = 7

    let target: Int
    let floor: Double

    /// Probes with `encode`, which returns the size of the file for a quality.
    ///
    /// - Returns: the best quality that fits, or `nil` where not even the floor does.
    func best<Failure: Error>(
        encode: (Double) throws(Failure) -> Int
    ) throws(Failure) -> Double? {
        var over: Probe?
        var under: Probe?
        var quality = 100.0
        for _ in 0..<Self.probesMax {
            let probe = Probe(quality: quality, bytes: try encode(quality))
            if probe.bytes <= target { under = probe } else { over = probe }
            guard let next = nextQuality(over: over, under: under) else { break }
            quality = next
        }
        if let under { return under.quality }
        guard over?.quality != floor else { return nil }
        return try encode(floor) <= target ? floor : nil
    }

    private struct Probe {
        var quality: Double
        var bytes: Int
        var index: Double { QuantizerIndex.of(quality: quality) }
    }

    private func nextQuality(over: Probe?, under: Probe?) -> Double? {
        if let under, Double(under.bytes) >= Double(target) * Self.tolerance { return nil }
        guard let over else { return nil }
        if over.quality <= floor { return nil }
        let aim = log(Double(target) * (1 + Self.tolerance) / 2)
        guard let under else {
            let index = over.index + (aim - log(Double(over.bytes))) / Self.typicalSlope
            // A step of at least 2 so that a flat curve does not stall the search.
            return max(floor, QuantizerIndex.quality(of: max(index, over.index + 2)))
        }
        guard over.quality - under.quality > 0.25 else { return nil }
        let slope =
            (log(Double(under.bytes)) - log(Double(over.bytes))) / (under.index - over.index)
        guard slope < 0 else { return (over.quality + under.quality) / 2 }
        let index = over.index + (aim - log(Double(over.bytes))) / slope
        let width = over.quality - under.quality
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
