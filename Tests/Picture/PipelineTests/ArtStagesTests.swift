import StickerCodecs
import StickerRaster
import StickerTestSupport
import StickerValues
import Testing

@testable import StickerPipeline

/// Changes to the art before it is placed: cut, tinted, outlined.
struct ArtStagesTests {
    private typealias Drawn = (_ x: Int, _ y: Int) -> SIMD4<UInt8>

    private static let ink = SIMD4<UInt8>(200, 40, 40, 255)

    private func made(
        _ source: SourceBytes, targets names: [String] = ["whatsapp"],
        _ change: (inout StickerSettings) -> Void = { _ in }
    ) throws -> MadeSticker {
        var settings = StickerSettings()
        change(&settings)
        let recipe = Recipe(settings: settings, targets: names.compactMap { Target.builtIn[$0] })
        return try StickerPipeline().make(source, recipe: recipe, limits: DecodeLimits())
            .result.get()
    }

    /// A disc in the middle of `size`, with shades so that its scaling can be seen.
    private func disc(_ size: PixelSize, radius: Int, at center: (x: Int, y: Int)) -> PixelBuffer {
        PixelBuffer.drawn(size) { x, y in
            let (across, down) = (x - center.x, y - center.y)
            guard across * across + down * down <= radius * radius else { return .zero }
            return SIMD4(UInt8(128 + across), UInt8(128 + down), 40, 255)
        }
    }

    private func png(_ picture: borrowing PixelBuffer) throws -> SourceBytes {
        SourceBytes(try PNGEncoder.encode(picture))
    }

    private func gif(_ frames: [Drawn]) throws -> SourceBytes {
        let size = PixelSize(width: 80, height: 60)
        let encoder = try GIFEncoder(size: size, matte: SIMD3(repeating: 255))
        for frame in frames {
            try encoder.add(frame: PixelBuffer.drawn(size, frame), durationMilliseconds: 100)
        }
        return SourceBytes(try #require(try encoder.finish()))
    }

    private func shown(_ file: MadeFile) throws -> PixelBuffer { try WebPDecoder.still(file.bytes) }

    // MARK: Trim

    @Test func trimmedPictureIsTheOneWithoutItsBorder() throws {
        let bordered = disc(PixelSize(width: 300, height: 200), radius: 50, at: (x: 70, y: 120))
        let cut = disc(PixelSize(width: 101, height: 101), radius: 50, at: (x: 50, y: 50))

        let trimmed = try made(try png(bordered)) { $0.trim = true }

        #expect(trimmed.files == (try made(try png(cut))).files)
        #expect(trimmed.files != (try made(try png(bordered))).files)
    }

    @Test func tracesOfEditingAreNoArt() throws {
        var traced = disc(PixelSize(width: 150, height: 150), radius: 50, at: (x: 75, y: 75))
        traced[0, 0] = SIMD4(255, 255, 255, 3)
        let cut = disc(PixelSize(width: 101, height: 101), radius: 50, at: (x: 50, y: 50))

        #expect(try made(try png(traced)) { $0.trim = true }.files == made(try png(cut)).files)
    }

    /// Missing rows of a damaged picture count as transparent, which inks cannot be.
    @Test func pictureInInksIsDrawnWholeIfItsDamageIsAccepted() throws {
        let picture = SourceBytes(TestInkJPEG(cyan: 255, magenta: 0, yellow: 0, black: 0).bytes)
        func made(_ trim: Bool) throws -> MadeSticker {
            var settings = StickerSettings()
            settings.trim = trim
            var recipe = Recipe(settings: settings)
            recipe.acceptsDamage = true
            return try StickerPipeline().make(picture, recipe: recipe, limits: DecodeLimits())
                .result.get()
        }

        #expect(try made(true).files == made(false).files)
    }

    @Test func pictureWithoutBorderStaysAsItIs() throws {
        let whole = disc(PixelSize(width: 101, height: 101), radius: 50, at: (x: 50, y: 50))

        #expect(try made(try png(whole)) { $0.trim = true }.files == made(try png(whole)).files)
    }

    @Test func partIsTakenAsStoredAndThenSetUpright() throws {
        let header = ImageHeader(
            format: .png, size: PixelSize(width: 300, height: 200), layout: .rgba8,
            orientation: .right, hasAlpha: true, detail: "")

        let drawing = Drawing(
            of: header, part: PixelRectangle(x: 10, y: 20, width: 100, height: 50),
            on: TargetCanvas(width: 512, height: 512), by: StickerSettings(), moves: false)

        #expect(drawing.scale.size == PixelSize(width: 512, height: 256))
        #expect(drawing.stages.map(\.name) == ["orient", "place"])
    }

    /// A square that moves to the right: all frames are cut to what any of them shows.
    @Test func framesAreCutAlike() throws {
        let moving = try gif([
            { x, y in (10..<20).contains(x) && (30..<50).contains(y) ? Self.ink : .zero },
            { x, y in (30..<40).contains(x) && (30..<50).contains(y) ? Self.ink : .zero },
        ])

        let made = try made(moving) { $0.trim = true }

        // 30x20 pixels become 512x341.
        let frames = try frames(of: made.files[0], at: [(80, 256), (430, 256), (80, 80), (80, 90)])
        #expect(
            frames.map { $0.map { $0.w == 255 } } == [
                [true, false, false, true], [false, true, false, false],
            ])
    }

    /// The pixels at `places` in each frame of a sticker.
    private func frames(
        of file: MadeFile, at places: [(x: Int, y: Int)]
    ) throws -> [[SIMD4<UInt8>]] {
        let decoder = try WebPMovingDecoder(SourceBytes(file.bytes), limits: DecodeLimits())
        var frames: [[SIMD4<UInt8>]] = []
        while try decoder.next() != nil {
            frames.append(
                decoder.withCanvas { pixels in
                    places.map { place in
                        pixels.load(
                            fromByteOffset: (place.y * 512 + place.x) * 4, as: SIMD4<UInt8>.self)
                    }
                })
        }
        return frames
    }

    // MARK: Tint

    @Test func tintConcernsStillsAlone() throws {
        let moving = try gif([
            { x, _ in x < 40 ? Self.ink : .zero }, { x, _ in x < 40 ? .zero : Self.ink },
        ])
        let standing = try gif([{ x, _ in x < 40 ? Self.ink : .zero }])
        func tinted(_ settings: inout StickerSettings) {
            settings.tint.mode = .solid
            settings.tint.color = "#00FF00"
        }

        #expect(try made(moving, tinted).files == made(moving).files)
        let still = try shown(try made(standing, tinted).files[0])
        #expect(still[200, 256] == SIMD4(0, 255, 0, 255))
    }

    // MARK: Outline

    @Test func artShrinksToMakeRoomForItsOutline() throws {
        let square = PixelBuffer.drawn(PixelSize(width: 100, height: 100)) { _, _ in Self.ink }

        let made = try made(try png(square)) { $0.outline.pixels = 8 }

        let sticker = try shown(made.files[0])
        #expect(sticker.size == .sticker)
        #expect(sticker[256, 4] == SIMD4(255, 255, 255, 255))
        #expect(sticker[256, 12] == Self.ink)
        // A round corner.
        #expect(sticker[0, 0].w == 0 && sticker[3, 3].w == 255)
    }

    @Test func outlineLiesInsideTheMargin() throws {
        let square = PixelBuffer.drawn(PixelSize(width: 100, height: 100)) { _, _ in Self.ink }

        let made = try made(try png(square)) {
            $0.marginPixels = 16
            $0.outline.pixels = 8
        }

        #expect(made.appearance?.marginPixels == 16)
        #expect(try shown(made.files[0])[256, 20] == SIMD4(255, 255, 255, 255))
    }

    @Test func outlineIsDrawnInProportionToTheCanvas() {
        var outline = StickerSettings.Outline()
        outline.pixels = 8

        #expect(outline.disc(on: TargetCanvas(width: 128, height: 128)) == DilationDisc(radius: 2))
        #expect(outline.disc(on: TargetCanvas(width: 512, height: 100)) == DilationDisc(radius: 8))
    }

    @Test func narrowCanvasKeepsRoomForTheArt() throws {
        let square = PixelBuffer.drawn(PixelSize(width: 100, height: 100)) { _, _ in Self.ink }
        var settings = StickerSettings()
        settings.outline.pixels = 64
        var target = try #require(Target.builtIn["whatsapp"])
        target.name = "narrow"
        target.canvas = TargetCanvas(width: 512, height: 40)

        let made = try StickerPipeline().make(
            try png(square), recipe: Recipe(settings: settings, targets: [target]),
            limits: DecodeLimits()
        ).result.get()

        let sticker = try shown(made.files[0])
        #expect(sticker[256, 20] == Self.ink && sticker[256, 2].w == 255)
    }

    @Test func everyFrameHasItsOutline() throws {
        let moving = try gif([
            { x, _ in x < 40 ? Self.ink : .zero }, { x, _ in x < 40 ? .zero : Self.ink },
        ])

        let made = try made(moving) { $0.outline.pixels = 8 }

        let edges = try frames(of: made.files[0], at: [(4, 256), (507, 256)])
        for pixel in [edges[0][0], edges[1][1]] {
            // White, but for the loss of encoding.
            #expect(pixel.w == 255 && pixel.x > 240 && pixel.y > 240 && pixel.z > 240)
        }
    }
}
