public import StickerRaster
import StickerValues

/// Encodes PNG in the smallest of the simple forms: palette, gray, RGB or RGBA.
///
/// Lossless wherever alpha is above 0. The only metadata is an sRGB chunk.
public enum PNGEncoder {
    /// libdeflate's level. On 165 stickers, 1 % smaller than zlib's level 4 in half the time. Level 7 saves
    /// another 3 % for twice the time, level 9 4 % for nine times the time.
    static let compressionLevel: Int32 = 5
    /// The level of fast files: on 71 stickers, 3 % larger in less than half the time.
    static let fastLevel = Deflate.trialLevel

    /// Encodes straight RGBA pixels; equal pixels give equal bytes.
    ///
    /// - Parameters:
    ///   - picture: any size that PNG allows.
    ///   - allowsPalette: whether a picture of at most 256 colours may become a palette picture; if not,
    ///     it is gray, RGB or RGBA, for readers that require true colours.
    ///   - isFast: whether time counts more than a few bytes.
    /// - Returns: the whole file.
    /// - Throws: `CodecError.Code.outOfMemory` if memory is short.
    public static func encode(
        _ picture: borrowing PixelBuffer, allowsPalette: Bool = true, isFast: Bool = false
    ) throws(CodecError) -> [UInt8] {
        let size = picture.size
        return try picture.withUnsafeBytes { bytes throws(CodecError) in
            let pixels = PNGRows.cleared(bytes)
            return try pixels.withUnsafeBufferPointer { pixels throws(CodecError) in
                try encode(
                    pixels, size, allowsPalette: allowsPalette,
                    level: isFast ? fastLevel : compressionLevel)
            }
        }
    }

    private static func encode(
        _ pixels: UnsafeBufferPointer<UInt32>, _ size: PixelSize, allowsPalette: Bool, level: Int32
    ) throws(CodecError) -> [UInt8] {
        let isOpaque = pixels.allSatisfy { PNGPalette.alpha($0) == 255 }
        let isGray = isOpaque && pixels.allSatisfy(isGray)
        if let palette = allowsPalette ? PNGPalette(pixels) : nil,
            !isGray || palette.indexBits < 8
        {
            // Filters help where neighbours in the palette are neighbours in the picture.
            let rows = indexed(pixels, palette, size)
            return try file(rows.smallest(level: level), rows, palette, size)
        }
        let form: PNGRows.Form = isGray ? .gray : isOpaque ? .rgb : .rgba
        let rows = PNGRows(pixels, form, size)
        return file(try rows.compressed(level: level, isFiltered: true), rows, nil, size)
    }

    private static func file(
        _ compressed: [UInt8], _ rows: PNGRows, _ palette: PNGPalette?, _ size: PixelSize
    ) -> [UInt8] {
        var file = PNGFile(size: size, form: rows.form, bitDepth: rows.bitDepth)
        if let palette { file.append(palette: palette.colors) }
        file.append("IDAT", compressed)
        file.append("IEND", [])
        return file.bytes
    }

    private static func isGray(_ pixel: UInt32) -> Bool {
        let pixel = UInt32(littleEndian: pixel)
        return (pixel ^ (pixel >> 8)) & 0xFFFF == 0
    }

    /// Indices, the leftmost in the high bits.
    private static func indexed(
        _ pixels: UnsafeBufferPointer<UInt32>, _ palette: PNGPalette, _ size: PixelSize
    ) -> PNGRows {
        let (bits, width) = (palette.indexBits, size.width)
        let stride = (width * bits + 7) / 8
        var bytes = [UInt8](repeating: 0, count: stride * size.height)
        for y in 0..<size.height {
            for x in 0..<width {
                let index = palette.index(of: pixels[y * width + x])
                let shift = 8 - bits - (x * bits) % 8
                bytes[y * stride + x * bits / 8] |= index << shift
            }
        }
        return PNGRows(bytes: bytes, .palette, bitDepth: UInt8(bits), size)
    }
}
