import StickerCodecs
import StickerRaster
import StickerValues

/// An opened picture, and what the steps have found out about it.
final class Picture {
    let decoding: OpenedPicture
    /// The damage of the file, if the format and the recipe allow it.
    let damage: AcceptedDamage?
    /// The drawn part, as stored in the file; `nil` for the whole picture.
    var part: PixelRectangle?
    /// Whether the drawn part is pixel art, if that was checked.
    var pixelArt: PixelArtDetector.Finding?
    /// The drawn canvases: all of a still, the last one of an animation.
    var canvases: [TargetCanvas: Artwork] = [:]
    /// Whether it is known to move, because a drawn canvas did.
    var moves = false

    var header: ImageHeader { decoding.header }

    init(_ decoding: OpenedPicture, accepting damage: AcceptedDamage? = nil) {
        (self.decoding, self.damage) = (decoding, damage)
    }

    /// The path of its frames onto a canvas, as stills or `moves`.
    func drawing(on canvas: TargetCanvas, by settings: StickerSettings, moves: Bool) -> Drawing {
        Drawing(of: header, part: part, pixelArt, on: canvas, by: settings, moves: moves)
    }
}
