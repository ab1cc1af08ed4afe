public import StickerModel
public import StickerRaster

/// One named change to the pixels of a frame. It takes them over and sees no disk, clock or network.
public struct Step: Sendable {
    /// A verb for the job log.
    public let name: String
    let apply: @Sendable (consuming PixelBuffer, FrameTime) throws(Refusal) -> PixelBuffer

    /// A step that does `apply`.
    public init(
        name: String,
        apply: @escaping @Sendable (consuming PixelBuffer, FrameTime) throws(Refusal) -> PixelBuffer
    ) {
        self.name = name
        self.apply = apply
    }
}

/// Where a frame stands in its animation; a still is frame 0 of 1 and lasts no time.
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

extension [Step] {
    /// From a scaled frame to the canvas of a sticker. The order is the specification.
    static func sticker(orientation: Orientation) -> [Step] {
        [.orient(orientation), .place(on: .sticker)]
    }

    /// Applies every step in order.
    func apply(
        to frame: consuming PixelBuffer, at time: FrameTime
    ) throws(Refusal) -> PixelBuffer {
        var frame = frame
        for step in self { frame = try step.apply(frame, time) }
        return frame
    }
}
