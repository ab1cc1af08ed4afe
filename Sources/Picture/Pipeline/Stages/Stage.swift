public import StickerRaster
public import StickerValues

/// One named change to the pixels of a frame, which it consumes. It has no access to disk, clock or network.
public struct Stage: Sendable {
    /// A verb for the job log.
    public let name: String
    let apply: @Sendable (consuming PixelBuffer, FrameTime) throws(Refusal) -> PixelBuffer

    /// Creates a stage that runs `apply`.
    public init(
        name: String,
        apply: @escaping @Sendable (consuming PixelBuffer, FrameTime) throws(Refusal) -> PixelBuffer
    ) {
        self.name = name
        self.apply = apply
    }
}

/// The place of a frame in its animation; a still is frame 0 of 1 and lasts no time.
public struct FrameTime: Sendable, Hashable {
    /// Counted from 0.
    public var index: Int
    /// Milliseconds between the start of the animation and of the frame.
    public var startMilliseconds: Int
    /// Milliseconds that the frame is shown.
    public var durationMilliseconds: Int
    /// Milliseconds of the whole animation.
    public var totalMilliseconds: Int

    /// The only frame of a still.
    public static let still = FrameTime(
        index: 0, startMilliseconds: 0, durationMilliseconds: 0, totalMilliseconds: 0)
}
