import CTIFF
import StickerCodecs
import StickerValues

/// The colours of a TIFF with a palette.
struct TIFFPalette {
    private let colors: [SIMD4<UInt32>]

    init(_ info: ctiff_info) throws(CodecError) {
        guard info.bits <= 8, let red = info.palette.0, let green = info.palette.1,
            let blue = info.palette.2
        else { throw CodecError(.malformed, .tiff, "it has no palette") }
        let entries = 0..<(1 << Int(info.bits))
        // Some programs write 8-bit values instead of 16.
        let isNarrow = entries.allSatisfy { max(red[$0], green[$0], blue[$0]) < 256 }
        colors = entries.map { index in
            let color = SIMD4<UInt32>(
                UInt32(red[index]), UInt32(green[index]), UInt32(blue[index]), 0)
            return isNarrow ? color : color &>> 8
        }
    }

    /// Red, green and blue in 8 bits; every value of a sample has a colour.
    subscript(index: Int) -> SIMD4<UInt32> { colors[index] }
}
