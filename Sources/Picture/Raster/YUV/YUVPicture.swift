public import StickerValues

/// A picture in the form of lossy WebP: brightness for each pixel, colour for each 2x2 block.
///
/// 8 bits a sample, BT.601 with brightness 16...235 and colour differences 16...240 around 128 (RFC 6386, 9.2). Rows
/// have no padding; the last block of an odd side covers one pixel.
public struct YUVPicture: Sendable {
    /// The size in pixels.
    public let size: PixelSize
    /// Brightness, of `size`.
    public let luma: [UInt8]
    /// Blue and red differences, of `chromaSize`.
    public let blueDifference: [UInt8]
    /// See `blueDifference`.
    public let redDifference: [UInt8]

    /// The size in 2x2 blocks.
    public var chromaSize: PixelSize { size.squares }

    /// Creates a picture from samples as they are.
    public init(size: PixelSize, luma: [UInt8], blueDifference: [UInt8], redDifference: [UInt8]) {
        (self.size, self.luma) = (size, luma)
        (self.blueDifference, self.redDifference) = (blueDifference, redDifference)
    }

    /// Converts straight RGBA so that the decoded picture comes close to it, colour edges included.
    ///
    /// Halving the colours in both directions spoils edges between bright colours; the brightness, which every pixel
    /// keeps, corrects the rest of the error there. See `SharpConversion`.
    public init(_ canvas: borrowing PixelBuffer) {
        size = canvas.size
        let conversion = SharpConversion(canvas)
        luma = conversion.luma(size)
        (blueDifference, redDifference) = conversion.differences
    }
}

extension PixelSize {
    var squares: PixelSize { PixelSize(width: (width + 1) / 2, height: (height + 1) / 2) }
}
