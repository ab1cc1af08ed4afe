import StickerContainers
package import StickerRaster

/// The parts of the canvas that the frames of an animation leave empty, which decide whether its file must declare
/// transparency.
///
/// A file whose frames are smaller than the canvas and opaque has no alpha flag, and viewers may then draw bars beside
/// them in the background colour.
package struct AnimationGround {
    private var isCovered = true
    private var isFramed = true

    package init() {}

    /// Examines the next canvas.
    package mutating func note(_ canvas: borrowing PixelBuffer) {
        isCovered = isCovered && canvas.isOpaque
        isFramed = isFramed && canvas.isFramedRectangle
    }

    /// An animated `file` of the canvases, transparent wherever no frame is if they are opaque pictures smaller
    /// than the canvas, or if no frame has alpha.
    package func applied(to file: consuming [UInt8]) -> [UInt8] {
        guard !isCovered, isFramed || !RIFF.hasAlphaFlag(file) else { return file }
        return RIFF.onTransparentGround(file)
    }
}
