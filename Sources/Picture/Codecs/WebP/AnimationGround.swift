import StickerContainers
package import StickerRaster

/// What the frames of an animation leave of their canvas, which decides whether its file has to say that the
/// canvas is transparent.
///
/// A frame of its own size without alpha gives the file no alpha flag, and viewers may then draw bars beside it
/// in the colour of the background.
package struct AnimationGround {
    private var isCovered = true
    private var isFramed = true

    package init() {}

    /// Looks at the next canvas.
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
