import StickerRaster
import StickerValues

/// A mark as drawn on canvases of one size.
struct DrawnMark: Sendable {
    /// One picture of it.
    struct Frame: Sendable {
        let pixels: Canvas
        /// When the next one follows, in milliseconds since the first; 0 for the only one.
        let end: Int

        init(_ pixels: Canvas, until end: Int = 0) { (self.pixels, self.end) = (pixels, end) }
    }

    private let mark: Watermark
    private let own: PixelSize?
    private let canvas: PixelSize
    /// Its pictures in order, in their largest drawn size; they repeat forever.
    private let frames: [Frame]

    /// Creates a mark whose content has `own` pixels.
    init(_ mark: Watermark, own: PixelSize?, on canvas: PixelSize, _ frames: [Frame]) {
        (self.mark, self.own, self.canvas, self.frames) = (mark, own, canvas, frames)
    }

    /// The state of the mark at one time: equal states look the same.
    struct State: Hashable {
        fileprivate var frame: Int
        fileprivate var place: WatermarkPlacement
        /// 0 to 255.
        fileprivate var opacity: Int
    }

    /// The state at `milliseconds`.
    func state(at milliseconds: Int) -> State {
        let now = mark.at(milliseconds: milliseconds)
        return State(
            frame: index(at: milliseconds),
            place: WatermarkPlacement(of: now, own: own, on: canvas),
            opacity: Int((now.opacity * 255).rounded()))
    }

    /// Draws the mark in its state at `milliseconds` over a frame of its canvas.
    func draw(on frame: inout PixelBuffer, at milliseconds: Int) {
        let state = state(at: milliseconds)
        let place = state.place
        guard !place.isEmpty, state.opacity > 0 else { return }
        let picture = frames[state.frame].pixels
        if picture.pixels.size == place.size {
            frame.blend(picture.pixels, x: place.x, y: place.y, opacity: state.opacity)
        } else {
            frame.blend(
                picture.pixels.resampled(to: place.size), x: place.x, y: place.y,
                opacity: state.opacity)
        }
    }

    private func index(at milliseconds: Int) -> Int {
        guard frames.count > 1 else { return 0 }
        let time = milliseconds % frames[frames.count - 1].end
        return frames.firstIndex { time < $0.end } ?? 0
    }

    /// Whether a still may become animated by it.
    var animates: Bool { mark.animates }
    /// All its pixels.
    var pixelCount: Int { frames[0].pixels.pixels.size.pixelCount * frames.count }

    /// For the job log.
    var shown: String {
        let place = WatermarkPlacement(of: mark.at(milliseconds: 0), own: own, on: canvas)
        let count = frames.count > 1 ? " in \(frames.count) frames" : ""
        return "\(place.size) at \(place.x),\(place.y)\(count)"
    }

    /// A probable mistake: a part of it is always cut off.
    var fault: String? {
        guard !mark.hasMotion else { return nil }
        let place = WatermarkPlacement(of: mark.at(milliseconds: 0), own: own, on: canvas)
        let isInside =
            place.x >= 0 && place.y >= 0 && place.x + place.size.width <= canvas.width
            && place.y + place.size.height <= canvas.height
        guard !isInside else { return nil }
        return
            "\(FileName.escaped(mark.id)) is \(place.size) at \(place.x),\(place.y) on a canvas of "
            + "\(canvas): a part of it is cut off; give it a smaller width or another place"
    }

    /// The time until it has shown everything, its last keyframe for a moment; in milliseconds, 0 if it stands still.
    var cycleMilliseconds: Int {
        let motion = motionMilliseconds
        return max(frames[frames.count - 1].end, motion > 0 ? motion + Timeline.motionStep : 0)
    }

    /// The time of its last keyframe, in milliseconds; 0 if it does not move.
    var motionMilliseconds: Int { mark.hasMotion ? mark.motionMilliseconds : 0 }

    /// The time of its next picture from `milliseconds` on; `nil` if it has only one.
    func nextPicture(from milliseconds: Int) -> Int? {
        guard frames.count > 1 else { return nil }
        let cycle = frames[frames.count - 1].end
        // A change at exactly that time counts.
        let (round, time) = ((milliseconds - 1) / cycle, (milliseconds - 1) % cycle)
        return frames.first { time < $0.end }.map { round * cycle + $0.end }
    }
}

extension Canvas {
    /// The canvas with marks over it, each over the previous ones, in their state at `milliseconds`.
    func wearing(_ marks: [DrawnMark], at milliseconds: Int) -> Canvas {
        guard !marks.isEmpty else { return self }
        var worn = pixels.copy()
        for mark in marks { mark.draw(on: &worn, at: milliseconds) }
        return Canvas(worn)
    }
}
