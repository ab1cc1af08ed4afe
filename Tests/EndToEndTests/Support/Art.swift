import StickerCodecs
import StickerModel
import StickerRaster
import StickerTestSupport

/// Tiny pictures, each number another one.
enum Art {
    /// A PNG of one colour with a corner of another one.
    static func png(_ number: Int, side: Int = 16) throws -> [UInt8] {
        let (low, high) = (UInt8(number & 0xFF), UInt8(number >> 8 & 0xFF))
        let picture = PixelBuffer.drawn(PixelSize(width: side, height: side)) { x, y in
            x < side / 2 && y < side / 2 ? SIMD4(high, 90, 200, 255) : SIMD4(low, 180, 40, 255)
        }
        return try PNGEncoder.encode(picture)
    }

    /// A PNG that no encoder makes small.
    static func noise(side: Int) throws -> [UInt8] {
        try PNGEncoder.encode(PixelBuffer.noise(PixelSize(width: side, height: side)))
    }
}
