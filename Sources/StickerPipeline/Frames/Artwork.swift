import StickerModel
import StickerRaster

/// What a picture shows on one canvas.
enum Artwork {
    case still(Canvas)
    /// At least two frames, each of which differs from the one before.
    case moving(any FrameSource, Timeline)

    /// The only picture, or the first.
    var first: Canvas {
        get throws(Refusal) {
            switch self {
            case .still(let canvas): canvas
            case .moving(let frames, let timeline): try frames.canvas(timeline.frames[0].source)
            }
        }
    }

    /// The same, shown by `timeline` if it moves.
    func played(by timeline: Timeline?) -> Artwork {
        guard case .moving(let frames, _) = self, let timeline else { return self }
        return .moving(frames, timeline)
    }
}

/// A finished canvas that can be shared.
final class Canvas: Sendable {
    let pixels: PixelBuffer
    init(_ pixels: consuming PixelBuffer) { self.pixels = pixels }
}
