import StickerValues

/// The statements of the chunks of an APNG, read by `APNGWalk` without decoding a pixel.
struct APNGSummary {
    /// One fcTL chunk and its pixels.
    struct Frame {
        /// Inside the canvas, and not empty.
        var rectangle: PixelRectangle
        var disposal: FrameDisposal
        /// Whether it is drawn over the canvas, or replaces it.
        var isBlended: Bool
        var delayMilliseconds: Int
        /// The range that spans the chunks with the pixels, and maybe others.
        var chunks = 0..<0
        /// Compressed pixels in these chunks.
        var dataBytes = 0
    }

    let size: PixelSize
    /// In the order in which they are shown, at least 1.
    var frames: [Frame] = []
    /// How often the animation is played; 0 means forever.
    var loopCount = 0
    /// The chunks that define the meaning of the samples: PLTE and tRNS.
    var palette: [Range<Int>] = []

    /// The sum of all delays.
    var durationMilliseconds: Int { frames.reduce(0) { $0 + $1.delayMilliseconds } }

    /// The most pixels that a single frame restores after it has been shown.
    var restoredPixelsMax: Int {
        frames.filter { $0.disposal == .restore }.map(\.rectangle.size.pixelCount).max() ?? 0
    }

    /// Whether the canvas can have pixels that no frame covers.
    var leavesHoles: Bool {
        frames.first?.rectangle.size != size || frames.contains { $0.disposal == .clear }
    }
}
