import Testing

@testable import StickerRaster

struct TokenEntropyTests {
    /// A strip of four blocks, each with these magnitudes.
    private static func strip(_ magnitudes: [Float]) -> ArraySlice<SIMD4<Float>> {
        let all = magnitudes + [Float](repeating: 0, count: 16 - magnitudes.count)
        return all.map { SIMD4(repeating: $0) }[...]
    }

    @Test func emptyBlocksTakeNothing() {
        var entropy = TokenEntropy()

        entropy.add(Self.strip([]), step: 4, rounding: 0.43)

        #expect(entropy.bits == 0 && entropy.codedBlocks == 0)
    }

    @Test func valuesAreRoundedAsTheEncoderDoes() {
        var (below, above) = (TokenEntropy(), TokenEntropy())

        below.add(Self.strip([5.6]), step: 10, rounding: 0.43)
        above.add(Self.strip([5.8]), step: 10, rounding: 0.43)

        #expect(below.codedBlocks == 0 && above.codedBlocks == 4)
    }

    @Test func certainTokensTakeTheirSignsOnly() {
        var entropy = TokenEntropy()

        // Every block is 1 and its end: nothing to tell but four signs.
        entropy.add(Self.strip([10]), step: 10, rounding: 0.43)

        #expect(entropy.bits == 4)
    }

    @Test func twoKindsOfBlocksTakeABitEach() {
        var entropy = TokenEntropy()

        entropy.add(Self.strip([10]), step: 10, rounding: 0.43)
        entropy.add(Self.strip([]), step: 10, rounding: 0.43)

        // Eight blocks, each empty or not, and four signs.
        #expect(abs(entropy.bits - 12) < 1e-9)
    }

    /// See RFC 6386, 13.2: the sign included.
    @Test(arguments: [
        (1, 1), (4, 1), (5, 2), (6, 2), (7, 3), (10, 3), (11, 4), (18, 4), (19, 5), (34, 5),
        (35, 6), (66, 6),
    ])
    func bitsFollowTokens(value: Int, bits: Int) {
        var entropy = TokenEntropy()

        entropy.add(Self.strip([Float(value)]), step: 1, rounding: 0.43)

        // The tokens of four equal blocks tell nothing.
        #expect(entropy.bits == Double(4 * bits))
    }

    @Test func largeValuesTakeMoreBits() {
        let bits = [1, 5, 11, 40, 200, 2000].map { (value: Float) in
            var entropy = TokenEntropy()
            entropy.add(Self.strip([value]), step: 1, rounding: 0.43)
            return entropy.bits
        }

        #expect(bits == bits.sorted() && Set(bits).count == bits.count)
    }
}
