import StickerModel
import StickerRaster

/// A mark as it is drawn on canvases of one size.
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
    /// Its pictures in order, in the largest size in which it is drawn; they are repeated for ever.
    private let frames: [Frame]

    /// Creates a mark whose content has `own` pixels.
    init(_ mark: Watermark, own: PixelSize?, on canvas: PixelSize, _ frames: [Frame]) {
        (self.mark, self.own, self.canvas, self.frames) = (mark, own, canvas, frames)
    }

    /// How it stands at one time: what is equal looks the same.
    struct State: Hashable {
        fileprivate var frame: Int
        fileprivate var place: WatermarkPlacement
        /// 0 to 255.
        fileprivate var opacity: Int
    }

    /// How it stands at `milliseconds`.
    func state(at milliseconds: Int) -> State {
        let now = mark.at(milliseconds: milliseconds)
        return State(
            frame: index(at: milliseconds),
            place: WatermarkPlacement(of: now, own: own, on: canvas),
            opacity: Int((now.opacity * 255).rounded()))
    }

    /// Draws it over a frame of its canvas as it stands at `milliseconds`.
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

    /// Whether a still may move by it.
    var animates: Bool { mark.animates }
    /// All its pixels.
    var pixelCount: Int { frames[0].pixels.pixels.size.pixelCount * frames.count }

    /// For the job log.
    var shown: String {
        let place = WatermarkPlacement(of: mark.at(milliseconds: 0), own: own, on: canvas)
        let count = frames.count > 1 ? " in \(frames.count) frames" : ""
        return "\(place.size) at \(place.x),\(place.y)\(count)"
    }

    /// What is probably not meant: that a part of it is cut off for as long as it is shown.
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

    /// How long it takes until it has shown all that it has, its last keyframe for a moment; in milliseconds, 0 if it stands
    /// still.
    var cycleMilliseconds: Int {
        let motion = motionMilliseconds
        return max(frames[frames.count - 1].end, motion > 0 ? motion + Timeline.motionStep : 0)
    }

    /// When the last of its keyframes is, in milliseconds; 0 if it stands at one place.
    var motionMilliseconds: Int { mark.hasMotion ? mark.motionMilliseconds : 0 }

    /// The first time from `milliseconds` on at which another of its pictures follows; `nil` if it has only one.
    func nextPicture(from milliseconds: Int) -> Int? {
        guard frames.count > 1 else { return nil }
        let cycle = frames[frames.count - 1].end
        // A change at the very time counts.
        let (round, time) = ((milliseconds - 1) / cycle, (milliseconds - 1) % cycle)
        return frames.first { time < $0.end }.map { round * cycle + $0.end }
    }
}

extension Canvas {
    /// The canvas with marks over it, each over those before it, as they stand at `milliseconds`.
    func wearing(_ marks: [DrawnMark], at milliseconds: Int) -> Canvas {
        guard !marks.isEmpty else { return self }
        var worn = pixels.copy()
        for mark in marks { mark.draw(on: &worn, at: milliseconds) }
        return Canvas(worn)
    }
}
