import StickerRaster
import StickerValues
import Testing

@testable import StickerPipeline

/// The stages between a decoded frame and its canvas.
struct DrawingTests {
    private func drawing(
        _ size: PixelSize, _ orientation: Orientation, on canvas: TargetCanvas
    ) throws -> Drawing {
        let header = ImageHeader(
            format: .png, size: size, layout: .rgba8, orientation: orientation, hasAlpha: true,
            detail: "")
        return Drawing(of: header, on: canvas, by: StickerSettings(), moves: false)
    }

    @Test func canvasIsThatOfTheUprightPicture() throws {
        let canvas = TargetCanvas(width: 512, height: 512, fit: .touch)

        let drawing = try drawing(PixelSize(width: 200, height: 100), .right, on: canvas)

        #expect(drawing.canvasSize == PixelSize(width: 256, height: 512))
        #expect(drawing.scale.size == PixelSize(width: 512, height: 256))
        #expect(drawing.stages.map(\.name) == ["orient"])
    }

    @Test func stagesThatWouldDoNothingAreLeftOut() throws {
        let canvas = TargetCanvas(width: 512, height: 512)

        #expect(try drawing(.sticker, .up, on: canvas).stages.isEmpty)
        #expect(
            try drawing(PixelSize(width: 2, height: 1), .down, on: canvas).stages.map(\.name)
                == ["orient", "place"])
    }
}
