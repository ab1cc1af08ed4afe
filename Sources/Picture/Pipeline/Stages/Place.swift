import StickerRaster
import StickerValues

extension Stage {
    /// Centres a picture of `size` on a transparent canvas; `nil` if it covers the canvas.
    static func place(_ size: PixelSize, on canvas: PixelSize) -> Stage? {
        guard size != canvas else { return nil }
        return Stage(name: "place") { frame, _ in frame.centered(on: canvas) }
    }
}
