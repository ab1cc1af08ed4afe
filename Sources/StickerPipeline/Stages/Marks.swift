import StickerModel
import StickerRaster

/// A mark as it is drawn on one canvas.
struct DrawnMark: Sendable {
    let pixels: Canvas
    let x: Int
    let y: Int
    /// 0 to 255.
    let opacity: Int
}

extension Stage {
    /// Draws marks over the frame, each over those before it; `nil` without any.
    static func marks(_ marks: [DrawnMark]) -> Stage? {
        guard !marks.isEmpty else { return nil }
        return Stage(name: "marks") { frame, _ in
            var frame = frame
            for mark in marks {
                frame.blend(mark.pixels.pixels, x: mark.x, y: mark.y, opacity: mark.opacity)
            }
            return frame
        }
    }
}
