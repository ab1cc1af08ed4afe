import StickerModel
import StickerRaster

/// How frames of a picture are drawn onto one canvas: cut and scaled row by row, then stage by stage.
struct Drawing {
    let scale: Scale
    /// The size of the finished canvas in pixels.
    let canvasSize: PixelSize
    /// What is done to the scaled frame, in order.
    let stages: [Stage]
    /// The pixel art that is drawn, upright, in the blocks that it has on the canvas; `nil` of anything else.
    var art: PixelArt?
}

extension [Stage] {
    /// Applies every stage in order to a frame that is taken over; `times` receives how long each took.
    func apply(
        to frame: consuming PixelBuffer, at time: FrameTime, _ times: inout StageTimes
    ) throws(Refusal) -> PixelBuffer {
        var frame = frame
        for stage in self {
            let start = times.now
            frame = try stage.apply(frame, time)
            times.add(stage.name, since: start, "\(frame.size)")
        }
        return frame
    }

    /// The same for a frame that may be shared; without stages it is returned unchanged.
    func apply(
        to frame: Canvas, at time: FrameTime, _ times: inout StageTimes
    ) throws(Refusal) -> Canvas {
        guard !isEmpty else { return frame }
        return Canvas(try apply(to: frame.pixels.copy(), at: time, &times))
    }
}
