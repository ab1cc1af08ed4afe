import StickerModel
import StickerRaster

/// A picture on one canvas.
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

    /// The same as a sticker plays it; only the first picture if that is a still.
    func played(by timeline: Timeline?) throws(Refusal) -> Artwork {
        guard case .moving(let frames, _) = self else { return self }
        guard let timeline else { return .still(try first) }
        return .moving(frames, timeline)
    }
}

/// A finished canvas that can be shared.
final class Canvas: Sendable {
    let pixels: PixelBuffer
    init(_ pixels: consuming PixelBuffer) { self.pixels = pixels }
}
