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

    /// Draws it over a frame of its canvas as it stands at `milliseconds`.
    func draw(on frame: inout PixelBuffer, at milliseconds: Int) {
        let now = mark.at(milliseconds: milliseconds)
        let place = WatermarkPlacement(of: now, own: own, on: canvas)
        let opacity = Int((now.opacity * 255).rounded())
        guard !place.isEmpty, opacity > 0 else { return }
        let picture = picture(at: milliseconds)
        if picture.pixels.size == place.size {
            frame.blend(picture.pixels, x: place.x, y: place.y, opacity: opacity)
        } else {
            frame.blend(
                picture.pixels.resampled(to: place.size), x: place.x, y: place.y,
                opacity: opacity)
        }
    }

    private func picture(at milliseconds: Int) -> Canvas {
        guard frames.count > 1 else { return frames[0].pixels }
        let time = milliseconds % frames[frames.count - 1].end
        return (frames.first { time < $0.end } ?? frames[0]).pixels
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

    /// How long it takes until it has shown all that it has, in milliseconds; 0 if it stands still.
    var cycleMilliseconds: Int {
        max(frames[frames.count - 1].end, motionMilliseconds)
    }

    /// When the last of its keyframes is, in milliseconds; 0 if it stands at one place.
    var motionMilliseconds: Int { mark.hasMotion ? mark.motionMilliseconds : 0 }

    /// The times before `end` at which another of its pictures follows, in milliseconds.
    fileprivate func pictureChanges(until end: Int) -> [Int] {
        guard frames.count > 1 else { return [] }
        let cycle = frames[frames.count - 1].end
        return stride(from: 0, to: end, by: cycle).flatMap { begun in
            frames.map { begun + $0.end }.prefix { $0 < end }
        }
    }
}

extension [DrawnMark] {
    /// The times before `end` at which another picture of any of them follows, in order.
    func pictureChanges(until end: Int) -> [Int] {
        Set(flatMap { $0.pictureChanges(until: end) }).sorted()
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
