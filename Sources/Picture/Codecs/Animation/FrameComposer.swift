import StickerValues

/// Composes the frames of an animation on one canvas, one after the other.
struct FrameComposer: ~Copyable {
    let canvas: AnimationCanvas
    private var undo = FrameUndo()
    /// Where the canvas may differ from the frame before.
    private var changed = PixelRectangle.empty
    /// Frames that were finished since the start.
    private(set) var frameIndex = 0

    init(size: PixelSize, _ format: ImageFormat) throws(CodecError) {
        canvas = try AnimationCanvas(size: size, format)
    }

    /// Goes back to an empty canvas, reusing its memory.
    mutating func rewind() {
        undo = FrameUndo()
        canvas.clear()
        frameIndex = 0
    }

    /// Prepares the canvas for a frame that is drawn in `area`: disposes of the one before, and saves the pixels that
    /// come back after this one.
    mutating func begin(_ area: PixelRectangle, _ disposal: FrameDisposal) throws(CodecError) {
        changed = area.union(undo.apply(to: canvas))
        // The saved area is freed before the next one is saved: both may be as large as the canvas.
        undo = FrameUndo()
        undo = try FrameUndo(disposal, area, canvas)
    }

    /// The frame that has been drawn since `begin`.
    mutating func finish(delayMilliseconds: Int) -> AnimationFrame {
        defer { frameIndex += 1 }
        return AnimationFrame(
            index: frameIndex, changed: changed, delayMilliseconds: delayMilliseconds)
    }
}
