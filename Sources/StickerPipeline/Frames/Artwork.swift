import StickerRaster

/// What a picture shows on one canvas.
enum Artwork {
    case still(Canvas)
    /// At least two frames, each of which differs from the one before.
    case moving(AnimationSource, Timeline)
}

/// A finished canvas that can be shared.
final class Canvas: Sendable {
    let pixels: PixelBuffer
    init(_ pixels: consuming PixelBuffer) { self.pixels = pixels }
}
