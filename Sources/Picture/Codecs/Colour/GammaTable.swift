import Glibc

/// Converts the samples of a PNG with a gAMA chunk for a screen of gamma 2.2, as browsers do.
struct GammaTable {
    private let bytes: [UInt8]
    private let words: [UInt16]

    /// `nil` if the change would be invisible: within 5 % of 1/2.2, libpng's own threshold.
    ///
    /// A sample becomes sample ^ (1 / (gamma x 2.2)) (PNG specification, 13.13).
    init?(gamma: Double, is16Bit: Bool) {
        let product = gamma * 2.2
        guard abs(product - 1) > 0.05, product > 0 else { return nil }
        func curve(_ index: Int, _ top: Int) -> Double {
            (pow(Double(index) / Double(top), 1 / product) * Double(top)).rounded()
        }
        bytes = is16Bit ? [] : (0...255).map { UInt8(curve($0, 255)) }
        words = is16Bit ? (0...65535).map { UInt16(curve($0, 65535)) } : []
    }

    /// Writes the colours of `pixels` pixels of `input`; alpha in `output` stays as it is.
    func apply(
        _ input: UnsafeRawBufferPointer, to output: UnsafeMutableRawBufferPointer, pixels: Int
    ) {
        if words.isEmpty {
            for offset in 0..<(pixels * 4) where offset & 3 != 3 {
                output[offset] = bytes[Int(input[offset])]
            }
        } else {
            let input = input.assumingMemoryBound(to: UInt16.self)
            let output = output.assumingMemoryBound(to: UInt16.self)
            for offset in 0..<(pixels * 4) where offset & 3 != 3 {
                output[offset] = words[Int(input[offset])]
            }
        }
    }
}
