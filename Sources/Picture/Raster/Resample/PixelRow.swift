import StickerValues

/// A row of a picture, or of every nth pixel of one, for comparison.
struct PixelRow {
    /// The least alpha of a visible pixel.
    private static let alphaMin = UInt32(4)

    /// Straight RGBA, alpha in the highest byte; 0 if invisible.
    let pixels: [UInt32]

    /// Reads each pixel in a column that is a multiple of `step`, of straight samples.
    init(_ bytes: UnsafeRawBufferPointer, _ layout: SampleLayout, width: Int, step: Int = 1) {
        pixels = stride(from: 0, to: width, by: step).map { x in
            let pixel = Self.pixel(bytes, layout, x)
            return pixel >> 24 < Self.alphaMin ? 0 : pixel
        }
    }

    /// Premultiplied levels of red, green, blue and alpha.
    var levels: [SIMD4<Int32>] {
        pixels.map { pixel in
            let straight = unsafeBitCast(pixel.littleEndian, to: SIMD4<UInt8>.self)
            let level = SIMD4<Int32>(truncatingIfNeeded: straight)
            var premultiplied = level &* level.w / 255
            premultiplied.w = level.w
            return premultiplied
        }
    }

    private static func pixel(
        _ bytes: UnsafeRawBufferPointer, _ layout: SampleLayout, _ x: Int
    ) -> UInt32 {
        guard layout == .rgba16 else {
            return UInt32(
                littleEndian: bytes.loadUnaligned(fromByteOffset: x * 4, as: UInt32.self))
        }
        let wide = bytes.loadUnaligned(fromByteOffset: x * 8, as: SIMD4<UInt16>.self)
        let rounded = (SIMD4<UInt32>(truncatingIfNeeded: wide) &+ 128) / 257
        let straight = SIMD4<UInt8>(truncatingIfNeeded: rounded)
        return UInt32(littleEndian: unsafeBitCast(straight, to: UInt32.self))
    }
}
