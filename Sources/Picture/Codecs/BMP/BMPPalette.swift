import StickerContainers
import StickerValues

/// The colours of a bitmap with a palette.
struct BMPPalette {
    /// The value of pixels skipped by runs.
    static let leftOut: UInt16 = .max

    private let colors: [SIMD4<UInt8>]

    init(_ info: BMPHeader, _ bytes: UnsafeRawBufferPointer) {
        colors = stride(
            from: info.palette.lowerBound, to: info.palette.upperBound, by: info.colorBytes
        )
        .map { SIMD4(bytes[$0 + 2], bytes[$0 + 1], bytes[$0], 255) }
    }

    /// Looks up a row of indices of `bits` bits each, the first in the highest bits.
    func expand(
        _ stored: UnsafeRawBufferPointer, bits: Int,
        into pixels: UnsafeMutableBufferPointer<SIMD4<UInt8>>
    ) throws(CodecError) {
        let (perByte, mask) = (8 / bits, UInt8(1 << bits - 1))
        for x in pixels.indices {
            let shift = 8 - bits * (x % perByte + 1)
            pixels[x] = try color(Int(stored[x / perByte] >> UInt8(shift) & mask))
        }
    }

    /// Looks up a row of decoded runs.
    func expand(
        _ indices: UnsafeMutableBufferPointer<UInt16>?,
        into pixels: UnsafeMutableBufferPointer<SIMD4<UInt8>>
    ) throws(CodecError) {
        guard let indices else { return }
        for x in pixels.indices {
            pixels[x] = indices[x] == Self.leftOut ? .zero : try color(Int(indices[x]))
        }
    }

    @inline(__always)
    private func color(_ index: Int) throws(CodecError) -> SIMD4<UInt8> {
        guard index < colors.count else {
            throw CodecError(
                .malformed, .bmp, "a pixel has colour \(index) of a palette of \(colors.count)")
        }
        return colors[index]
    }
}
