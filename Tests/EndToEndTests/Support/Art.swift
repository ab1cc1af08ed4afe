import StickerCodecs
import StickerModel
import StickerRaster
import StickerTestSupport

/// Tiny pictures, each number another one.
enum Art {
    /// A PNG of one colour, which is quickly made into a sticker.
    static func png(_ number: Int, side: Int = 16) throws -> [UInt8] {
        let color = SIMD4(UInt8(number & 0xFF), UInt8(number >> 8 & 0xFF), 128, 255)
        let size = PixelSize(width: side, height: side)
        return try PNGEncoder.encode(PixelBuffer.drawn(size) { _, _ in color })
    }

    /// A PNG that no encoder makes small.
    static func noise(side: Int) throws -> [UInt8] {
        try PNGEncoder.encode(PixelBuffer.noise(PixelSize(width: side, height: side)))
    }
}
