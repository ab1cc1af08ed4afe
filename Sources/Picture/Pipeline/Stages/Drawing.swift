import StickerRaster
import StickerValues

/// The drawing of a picture's frames onto one canvas: cut and scaled row by row, then stage by stage.
struct Drawing {
    let scale: Scale
    /// The size of the finished canvas in pixels.
    let canvasSize: PixelSize
    /// The changes to the scaled frame, in order.
    let stages: [Stage]
    /// The drawn pixel art, upright, in its blocks on the canvas; `nil` for anything else.
    var art: PixelArt?
}

extension [Stage] {
    /// Applies every stage in order to a frame, which is consumed; `times` receives the time of each.
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
