import Glibc

/// libwebp's mapping from quality to its quantizer index 0 (finest) to 127: see `VP8SetSegmentParams` in libwebp's
/// `quant_enc.c`.
public enum QuantizerIndex {
    /// The index for a quality from 0 to 100, fractions included.
    public static func of(quality: Double) -> Double {
        let c = quality / 100
        let linear = c < 0.75 ? c * (2.0 / 3) : 2 * c - 1
        return 127 * (1 - cbrt(linear))
    }

    /// The quality, 0 to 100, for an index.
    public static func quality(of index: Double) -> Double {
        let root = 1 - min(max(index, 0), 127) / 127
        let linear = root * root * root
        return 100 * (linear < 0.5 ? linear * 1.5 : (linear + 1) / 2)
    }

    /// The divisor of coefficients above the lowest (RFC 6386, 14.1).
    static func step(_ index: Int) -> Float {
        // 4, 5 ... 58, 60 ... 116, 119 ... 155, 158 ... 177, 181 ... 249, 254 ... 284
        switch index {
        case ...54: Float(index + 4)
        case ...83: Float(58 + 2 * (index - 54))
        default: Float(116 + 3 * (index - 83))
        }
    }
}
