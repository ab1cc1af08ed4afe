import StickerModel
import StickerRaster

extension Step {
    /// Centres the picture on a transparent canvas.
    static func place(on canvas: PixelSize) -> Step {
        Step(name: "place") { frame, _ in frame.centered(on: canvas) }
    }
}
