import Glibc

/// Counts the tokens of VP8 for quantized blocks (RFC 6386, 13), and computes their bits for a coder that knows their
/// frequencies.
struct TokenEntropy {
    private static let tokens = 12
    private static let contexts = 3
    /// The first count of each position's band.
    private static let bands: InlineArray<16, Int> = [
        0, 36, 72, 108, 216, 144, 180, 216, 216, 216, 216, 216, 216, 216, 216, 252,
    ]
    /// The bits of a number of 2^23 or more that hold the excess over 2^23.
    private static let mantissa: UInt32 = 0x7F_FFFF

    /// The token of each value, and 256 times the bits that follow it. A block of samples has no larger values.
    private static let tokensOfValues = (0..<2048).map { value in
        let (token, bits) = token(value)
        return token | bits << 8
    }

    /// Counts by band, context (the value before: 0, 1, more) and token.
    private var counts = [Int32](repeating: 0, count: 8 * contexts * tokens)
    private var extraBits = 0
    /// Blocks with any value other than 0.
    private(set) var codedBlocks = 0

    /// Adds strips of four blocks each: 16 vectors of magnitudes in zigzag order, a lane for each block.
    /// The magnitudes are divided by `step`; `rounding` is added before the fraction is cut off.
    mutating func add(
        _ strips: ArraySlice<BlockStrip.Lanes>, step: Float, rounding: Float
    ) {
        let scale = 1 / step
        // Adding 2^23 rounds to the nearest whole number; with a half less, it cuts the fraction off.
        let bias = BlockStrip.Lanes(repeating: rounding - 0.5)
        Self.tokensOfValues.withUnsafeBufferPointer { tokensOfValues in
            counts.withUnsafeMutableBufferPointer { counts in
                for start in stride(from: strips.startIndex, to: strips.endIndex, by: 16) {
                    var values = InlineArray<16, SIMD4<UInt32>>(repeating: .zero)
                    for position in 0..<16 {
                        values[position] = unsafeBitCast(
                            (strips[start + position] * scale + bias) + 0x1p23,
                            to: SIMD4<UInt32>.self)
                    }
                    withUnsafeBytes(of: &values) { values in
                        let values = values.bindMemory(to: UInt32.self)
                        for lane in 0..<4 {
                            extraBits += Self.count(
                                values, lane, tokensOfValues, &codedBlocks, in: counts)
                        }
                    }
                }
            }
        }
    }

    /// Counts the tokens of one block; returns the bits that follow them, signs included.
    @inline(__always)
    private static func count(
        _ values: UnsafeBufferPointer<UInt32>, _ lane: Int,
        _ tokensOfValues: UnsafeBufferPointer<Int>, _ codedBlocks: inout Int,
        in counts: UnsafeMutableBufferPointer<Int32>
    ) -> Int {
        var last = 15
        while last >= 0, values[last * 4 + lane] & mantissa == 0 { last -= 1 }
        guard last >= 0 else {
            counts[0] += 1
            return 0
        }
        codedBlocks += 1
        var (context, extra) = (0, 0)
        for position in 0...last {
            let value = Int(values[position * 4 + lane] & mantissa)
            let token = tokensOfValues[min(value, tokensOfValues.count - 1)]
            counts[bands[position] + context * tokens + token & 255] += 1
            extra += token >> 8
            context = min(value, 2)
        }
        if last < 15 { counts[bands[last + 1] + context * tokens] += 1 }
        return extra
    }

    /// The token of a value (0 is the end of the block), and how many bits follow it.
    private static func token(_ value: Int) -> (token: Int, bits: Int) {
        switch value {
        case 0: (1, 0)
        case 1...4: (value + 1, 1)
        case 5...6: (6, 2)
        case 7...10: (7, 3)
        case 11...18: (8, 4)
        case 19...34: (9, 5)
        case 35...66: (10, 6)
        default: (11, Int.bitWidth - (value - 66).leadingZeroBitCount + 2)
        }
    }

    /// The bits of all tokens with their extra bits.
    var bits: Double {
        var bits = Double(extraBits)
        for context in stride(from: 0, to: counts.count, by: Self.tokens) {
            let row = counts[context..<context + Self.tokens]
            let total = Double(row.reduce(0, +))
            for count in row where count > 0 { bits -= Double(count) * log2(Double(count) / total) }
        }
        return bits
    }
}
