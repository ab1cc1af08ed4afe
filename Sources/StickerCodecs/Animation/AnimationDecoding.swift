public import StickerModel
public import StickerRaster

/// Decodes an animation, one frame of the whole canvas after the other, in memory that does not grow
/// with their number.
///
/// Making one walks the structure of the file and checks it against the limits; no pixel is decoded
/// and nothing large is allocated before.
public protocol AnimationDecoding: AnyObject {
    /// Walks the file without decoding pixels.
    ///
    /// - Throws: `CodecError` where it breaks the format or the limits.
    init(_ source: SourceBytes, limits: DecodeLimits) throws(CodecError)

    /// What is known before the pixels; the layout is that of the canvas, always `.rgba8`.
    var header: ImageHeader { get }
    /// Frames that `next` will return, at least 1.
    var frameCount: Int { get }
    /// The sum of all delays.
    var durationMilliseconds: Int { get }
    /// How often the animation is to be played; 0 means for ever.
    var loopCount: Int { get }

    /// Goes back to the first frame, in the memory that is there.
    func rewind() throws(CodecError)

    /// Composes the next frame on the canvas.
    ///
    /// - Returns: `nil` behind the last one.
    /// - Throws: `CodecError`; frames returned before are right as far as they go.
    func next() throws(CodecError) -> AnimationFrame?

    /// Lends the pixels of the current frame: straight RGBA of the whole canvas.
    func withCanvas<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result
}
