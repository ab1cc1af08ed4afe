public import StickerRaster
public import StickerValues

/// Decodes an animation, one frame of the whole canvas after the other, in memory that does not grow with
/// the number of frames.
///
/// Creating a decoder walks the structure of the file and checks it against the limits; before that, no
/// pixel is decoded and nothing large is allocated.
public protocol AnimationDecoding: AnyObject {
    /// Walks the file without decoding pixels.
    ///
    /// - Throws: `CodecError` if it breaks the format or the limits.
    init(_ source: SourceBytes, limits: DecodeLimits) throws(CodecError)

    /// Known before decoding the pixels; the layout is that of the canvas, always `.rgba8`.
    var header: ImageHeader { get }
    /// Frames that `next` will return, at least 1.
    var frameCount: Int { get }
    /// The sum of all delays.
    var durationMilliseconds: Int { get }
    /// How often the animation is played; 0 means forever.
    var loopCount: Int { get }

    /// Goes back to the first frame, reusing the memory.
    func rewind() throws(CodecError)

    /// Composes the next frame on the canvas.
    ///
    /// - Returns: `nil` after the last one.
    /// - Throws: `CodecError`; earlier frames are valid.
    func next() throws(CodecError) -> AnimationFrame?

    /// Lends the pixels of the current frame: straight RGBA of the whole canvas.
    func withCanvas<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result
}
