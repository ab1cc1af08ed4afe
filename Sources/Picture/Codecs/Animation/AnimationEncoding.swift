public import StickerRaster

/// Encodes an animation without a quality, one frame of the whole canvas after the other.
public protocol AnimationEncoding: AnyObject {
    /// Whether the file outgrew its limit; further frames are then ignored.
    var isTooLarge: Bool { get }

    /// Adds the next frame: straight RGBA of the whole canvas.
    ///
    /// - Throws: `CodecError`; the encoder is of no further use.
    func add(frame: borrowing PixelBuffer, durationMilliseconds: Int) throws(CodecError)

    /// Ends the file.
    ///
    /// - Returns: its bytes; `nil` if they are too many.
    func finish() throws(CodecError) -> [UInt8]?
}
