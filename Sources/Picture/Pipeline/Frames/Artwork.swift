import StickerRaster
import StickerValues

/// A picture on one canvas.
enum Artwork {
    case still(Canvas)
    /// At least two frames, each of which differs from the one before.
    case moving(any FrameSource, Timeline)

    var isMoving: Bool { if case .moving = self { true } else { false } }

    /// The size of every canvas in pixels.
    var canvasSize: PixelSize {
        switch self {
        case .still(let canvas): canvas.pixels.size
        case .moving(let frames, _): frames.canvasSize
        }
    }

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

extension Appearance {
    /// How many frames are measured if only a mark moves.
    private static let judgedCount = 16

    /// Judges a sticker by its contents, or by frames of `artwork`, its picture without marks, if the survey measured
    /// them.
    init(of shown: Artwork, drawnAs artwork: Artwork) throws(Refusal) {
        if case .moving(let frames as AnimationSource, let timeline) = artwork {
            self.init(of: frames.judged(in: timeline))
            return
        }
        switch shown {
        case .still(let canvas):
            self.init(of: [(FrameAppearance(of: canvas.pixels), 0)])
        case .moving(let frames, let timeline):
            let step = (timeline.frames.count + Self.judgedCount - 1) / Self.judgedCount
            var judged: [(appearance: FrameAppearance, milliseconds: Int)] = []
            for frame in timeline.keeping(every: step).frames {
                let canvas = try frames.canvas(frame.source)
                judged.append((FrameAppearance(of: canvas.pixels), frame.milliseconds))
            }
            self.init(of: judged)
        }
    }
}

/// A finished canvas that can be shared.
final class Canvas: Sendable {
    let pixels: PixelBuffer
    init(_ pixels: consuming PixelBuffer) { self.pixels = pixels }
}
