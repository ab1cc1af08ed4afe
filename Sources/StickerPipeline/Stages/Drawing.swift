import StickerModel
import StickerRaster

/// How frames of a picture come onto one canvas: scaled row by row, then stage by stage.
struct Drawing {
    let scale: Scale
    /// Pixels of the finished canvas.
    let canvasSize: PixelSize
    /// What is done to the scaled frame, in order.
    let stages: [Stage]
}

/// The size that frames are brought to, and by which filter.
struct Scale {
    /// As the frame lies in its file, before it is set upright.
    let size: PixelSize
    let filter: StickerSettings.Resample

    /// For the job log.
    var shown: String { "\(size) with \(filter.rawValue)" }
}

extension [Stage] {
    /// Applies every stage in order to a frame that is taken over; `times` gets what each took.
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

    /// The same for a frame that others may hold; without a stage it is returned as it is.
    func apply(
        to frame: Canvas, at time: FrameTime, _ times: inout StageTimes
    ) throws(Refusal) -> Canvas {
        guard !isEmpty else { return frame }
        return Canvas(try apply(to: frame.pixels.copy(), at: time, &times))
    }
}
