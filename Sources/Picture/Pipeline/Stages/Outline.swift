import StickerRaster
import StickerValues

extension Stage {
    /// Draws a border around the art, which enlarges it; `nil` without a border.
    static func outline(_ outline: StickerSettings.Outline, on canvas: TargetCanvas) -> Stage? {
        guard let disc = outline.disc(on: canvas) else { return nil }
        let color = ColorCode.parse(outline.color) ?? SIMD3(repeating: 255)
        return Stage(name: "outline") { frame, _ in frame.outlined(by: disc, color: color) }
    }
}

extension StickerSettings.Outline {
    /// The canvas side to which the width refers.
    private static let canvasSide = 512

    /// The disc for the outline on `canvas`; `nil` without one. On a narrow canvas, half of the shorter side is left
    /// for the art.
    func disc(on canvas: TargetCanvas) -> DilationDisc? {
        guard pixels > 0 else { return nil }
        let (long, short) = (max(canvas.width, canvas.height), min(canvas.width, canvas.height))
        let radius = (2 * pixels * long + Self.canvasSide) / (2 * Self.canvasSide)
        return DilationDisc(radius: max(1, min(radius, short / 4)))
    }
}
