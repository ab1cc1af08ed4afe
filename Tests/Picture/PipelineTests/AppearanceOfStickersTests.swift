import StickerCodecs
import StickerRaster
import StickerTestSupport
import StickerValues
import Testing

@testable import StickerPipeline

/// Every sticker is judged by the canvas it is made of.
struct AppearanceOfStickersTests {
    private static let black = SIMD4<UInt8>(0, 0, 0, 255)

    private func made(
        _ source: SourceBytes, targets names: [String] = ["whatsapp"],
        _ change: (inout Recipe) -> Void = { _ in }
    ) throws -> MadeSticker {
        var recipe = Recipe(
            settings: StickerSettings(), targets: names.compactMap { Target.builtIn[$0] })
        change(&recipe)
        return try StickerPipeline().make(source, recipe: recipe, limits: DecodeLimits())
            .result.get()
    }

    /// Black bars, the more the later, behind frames that show nothing.
    private func animation(bars: [Int]) throws -> SourceBytes {
        let size = PixelSize(width: 256, height: 256)
        let encoder = try GIFEncoder(size: size, matte: SIMD3(repeating: 255))
        for count in bars {
            let frame = PixelBuffer.drawn(size) { x, y in
                x / 16 < count && y % 32 < 16 ? Self.black : .zero
            }
            try encoder.add(frame: frame, durationMilliseconds: 100)
        }
        return SourceBytes(try #require(try encoder.finish()))
    }

    @Test func stillIsJudgedOnTheCanvasOfItsFirstTarget() throws {
        let lines = PixelBuffer.drawn(PixelSize(width: 200, height: 100)) { _, y in
            y % 20 < 5 ? Self.black : .zero
        }

        let looks = try made(SourceBytes(try PNGEncoder.encode(lines))) {
            $0.targets[0].canvas.marginPixels = 20
        }.appearance

        #expect(looks?.onDarkPercent == 0 && looks?.onLightPercent == 100)
        #expect(looks?.marginPixels == 20 && looks?.startsEmpty == false)
    }

    @Test func animationIsJudgedFromItsFirstVisibleFrameOn() throws {
        let looks = try made(try animation(bars: [0, 3, 8, 16])).appearance

        #expect(looks?.onDarkPercent == 0 && looks?.onLightPercent == 100)
        #expect(looks?.marginPixels == 0 && looks?.startsEmpty == false)
    }

    @Test func longAnimationIsJudgedByAFewFrames() throws {
        let bars = (0..<64).map { $0 % 16 + 1 }
        let picture = try animation(bars: bars)
        let run = PipelineRun(
            recipe: Recipe(settings: StickerSettings()), limits: DecodeLimits())

        let artwork = try run.draw(try run.open(picture), on: run.recipe.targets[0].canvas)

        guard case .moving(let source, let timeline) = artwork,
            let frames = source as? AnimationSource
        else {
            Issue.record("it stands still")
            return
        }
        #expect(timeline.frames.count == 64 && 12...20 ~= frames.appearances.count)
        #expect(frames.appearances.keys.contains(0))
        #expect(try Appearance(of: artwork, drawnAs: artwork).onDarkPercent == 0)
    }

    /// A white ground makes what cannot be seen on white visible on black, and the other way round.
    @Test func stickerIsJudgedAsItIsWithItsMarks() throws {
        var ground = Watermark(id: "ground", .color(SIMD4(255, 255, 255, 255)))
        (ground.width, ground.height) = (1, 1)
        for picture in [try animation(bars: [3, 8, 16]), try animation(bars: [3])] {
            let looks = try made(picture) { $0.settings.watermarks = [ground] }.appearance

            #expect(looks?.onDarkPercent == 100 && looks?.onLightPercent == 0)
        }
    }

    @Test func furtherTargetsAloneAreNotJudged() throws {
        let picture = SourceBytes(try PNGEncoder.encode(.photo(PixelSize(width: 90, height: 90))))

        let further = try made(picture, targets: ["whatsapp", "telegram"]) {
            $0.makesSticker = false
        }

        #expect(further.appearance == nil && further.files.count == 1)
        #expect(try made(picture, targets: ["telegram", "whatsapp"]).appearance?.marginPixels == 0)
    }
}
