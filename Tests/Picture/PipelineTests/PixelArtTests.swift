import StickerCodecs
import StickerRaster
import StickerTestSupport
import StickerValues
import Testing

@testable import StickerPipeline

/// How pixel art and other small pictures are enlarged by `auto`.
struct PixelArtTests {
    private func report(
        _ source: SourceBytes, targets names: [String] = ["whatsapp"],
        _ change: (inout StickerSettings) -> Void = { _ in }
    ) -> MakeReport {
        var settings = StickerSettings()
        change(&settings)
        let recipe = Recipe(settings: settings, targets: names.compactMap { Target.builtIn[$0] })
        return StickerPipeline().make(source, recipe: recipe, limits: DecodeLimits())
    }

    private func png(
        _ size: PixelSize = Sprite.size, _ pixel: (Int, Int) -> SIMD4<UInt8> = Sprite.pixel
    ) throws -> SourceBytes {
        SourceBytes(try PNGEncoder.encode(.drawn(size, pixel)))
    }

    private func gif(_ frames: [(Int, Int) -> SIMD4<UInt8>]) throws -> SourceBytes {
        let encoder = try GIFEncoder(size: Sprite.size, matte: SIMD3(repeating: 255))
        for frame in frames {
            try encoder.add(frame: .drawn(Sprite.size, frame), durationMilliseconds: 100)
        }
        return SourceBytes(try #require(try encoder.finish()))
    }

    private func sticker(_ report: MakeReport) throws -> PixelBuffer {
        try WebPDecoder.still(report.result.get().files[0].bytes)
    }

    private func scaling(_ report: MakeReport) -> String? {
        report.log.entries.last { $0.step == "scale" }?.detail
    }

    /// Whether the sprite lies on `canvas` with `factor` pixels a side for each of its own.
    private func shows(
        _ canvas: borrowing PixelBuffer, factor: Int, pixel: (Int, Int) -> SIMD4<UInt8>
    ) -> Bool {
        let size = Sprite.size.enlarged(factor)
        let left = (canvas.size.width - size.width) / 2
        let top = (canvas.size.height - size.height) / 2
        for y in 0..<canvas.size.height {
            for x in 0..<canvas.size.width {
                let isArt = left..<left + size.width ~= x && top..<top + size.height ~= y
                let wanted = isArt ? pixel((x - left) / factor, (y - top) / factor) : .zero
                if canvas[x, y] != wanted { return false }
            }
        }
        return true
    }

    // MARK: Stills

    @Test func spriteBecomesBlocksOfEqualSizeWithoutLossAtOnce() throws {
        let report = report(try png())

        let file = try report.result.get().files[0]
        let isShown = shows(try sticker(report), factor: 32, pixel: Sprite.pixel)
        #expect(isShown)
        #expect(file.encoding?.mode == .lossless && file.bytes.count < 400)
        #expect(report.log.entries.compactMap(\.fit).first?.attempts.count == 1)
        #expect(
            scaling(report)
                == "512x512 with nearest, 32 times as large; pixel art of 16x16 in 4 colours")
    }

    @Test func spriteThatWasEnlargedBeforeBecomesTheSameSticker() throws {
        let plain = try report(png()).result.get().files

        let large = try report(
            png(Sprite.size.enlarged(20)) { x, y in Sprite.pixel(x / 20, y / 20) })

        #expect(try large.result.get().files == plain)
        #expect(scaling(large)?.contains("blocks of 20x20") == true)
    }

    @Test func whatIsLeftOfTheCanvasIsMargin() throws {
        let margin = report(try png()) { $0.marginPixels = 20 }
        let outlined = report(try png()) { $0.outline.pixels = 10 }

        let isShown = shows(try sticker(margin), factor: 29, pixel: Sprite.pixel)
        #expect(isShown)
        #expect(try outlined.result.get().files[0].size == .sticker)
        #expect(scaling(outlined)?.contains("30 times") == true)
    }

    @Test func hiddenColorsDoNotBecomePartOfTheSticker() throws {
        let hidden = try png { x, y in
            let pixel = Sprite.pixel(x, y)
            return pixel.w == 0 ? SIMD4(UInt8(x * 16), UInt8(y * 16), 99, 0) : pixel
        }

        #expect(try report(hidden).result.get().files == report(png()).result.get().files)
    }

    @Test func trimmedSpriteIsEnlargedByItsOwnSize() throws {
        let bordered = try png(PixelSize(width: 60, height: 40)) { x, y in
            Sprite.size.width + 9 > x && x >= 9 && 7..<7 + Sprite.size.height ~= y
                ? Sprite.pixel(x - 9, y - 7) : .zero
        }

        let report = report(bordered) { $0.trim = true }

        // In 16x16, a line on every side is empty.
        #expect(scaling(report)?.contains("504x504 with nearest") == true)
    }

    @Test func everyCanvasHasItsOwnFactor() throws {
        let report = report(try png(), targets: ["whatsapp", "discord", "slack"])

        let detail = try #require(scaling(report))
        #expect(detail.contains("512x512 with nearest") && detail.contains("320x320 with nearest"))
        let made = try report.result.get()
        #expect(made.shortfalls.isEmpty)
    }

    private func thumbnail(_ report: MakeReport, pixels: Int) throws -> PixelBuffer {
        let file = try report.result.get().files.first {
            $0.role == .thumbnail && $0.format == .webp && $0.size.width == pixels
        }
        return try WebPDecoder.still(#require(file).bytes)
    }

    @Test(arguments: [(20, 1), (40, 2), (96, 6), (144, 9)])
    func thumbnailsAreMultiplesOfTheArtAsWell(pixels: Int, factor: Int) throws {
        let report = report(try png()) {
            $0.thumbnails = [StickerSettings.Thumbnail(pixels: pixels, format: .webp)]
        }

        let isShown = shows(
            try thumbnail(report, pixels: pixels), factor: factor, pixel: Sprite.pixel)
        #expect(isShown)
    }

    @Test func thumbnailsOfArtWithAnOutlineShowTheOutline() throws {
        let report = report(try png()) {
            $0.outline.pixels = 20
            $0.thumbnails = [StickerSettings.Thumbnail(pixels: 96, format: .webp)]
        }

        let small = try thumbnail(report, pixels: 96)
        // Nothing of the art is near the edge there, and the outline is white.
        #expect(small[48, 4].w > 0)
    }

    @Test func photoInBlocksStaysSmooth() throws {
        let photo = PixelBuffer.photo(PixelSize(width: 60, height: 60))
        let blocks = try png(photo.size.enlarged(3)) { x, y in photo[x / 3, y / 3] }

        #expect(scaling(report(blocks))?.contains("with lanczos3; no pixel art") == true)
    }

    @Test func artThatNoMultipleFitsStaysSmooth() throws {
        let size = PixelSize(width: 300, height: 176)
        let art = { (x: Int, y: Int) in Sprite.pixel(x % 16, y % 16) }
        let wide = try png(PixelSize(width: 180, height: 176), art)

        #expect(scaling(report(wide))?.contains("with lanczos3") == true)
        #expect(scaling(report(try png(size, art)))?.contains("with lanczos3") == true)
    }

    // MARK: What stays as it was

    @Test(arguments: [16, 40, 128, 300, 600])
    func photoIsScaledAsByLanczos(side: Int) throws {
        let photo = SourceBytes(
            try PNGEncoder.encode(.photo(PixelSize(width: side, height: side))))

        let auto = report(photo)

        #expect(
            try auto.result.get().files
                == report(photo) { $0.resample = .lanczos3 }.result.get().files)
        #expect(scaling(auto)?.contains("looks soft") == (side < 171))
        #expect(scaling(auto)?.contains("not enlarged") == (side > 512))
    }

    @Test func pictureAsLargeAsTheCanvasIsNotConcerned() throws {
        let full = try png(.sticker) { x, y in Sprite.pixel(x / 32, y / 32) }
        let larger = try png(PixelSize(width: 1024, height: 1024)) { x, y in
            Sprite.pixel(x / 64, y / 64)
        }

        for picture in [full, larger] {
            #expect(
                try report(picture).result.get().files[0].bytes
                    == report(picture) { $0.resample = .lanczos3 }.result.get().files[0].bytes)
        }
    }

    @Test func settingStillDecides() throws {
        let smooth = report(try png()) { $0.resample = .lanczos3 }
        let hard = report(try png(PixelSize(width: 15, height: 15))) { $0.resample = .nearest }

        #expect(scaling(smooth) == "512x512 with lanczos3")
        #expect(scaling(hard) == "512x512 with nearest")
    }

    // MARK: Animations

    @Test func movingSpriteIsPixelArtInEveryFrame() throws {
        let report = report(try gif([Sprite.pixel, Sprite.mirrored]))

        let file = try report.result.get().files[0]
        let decoder = try WebPMovingDecoder(SourceBytes(file.bytes), limits: DecodeLimits())
        for pixel in [Sprite.pixel, Sprite.mirrored] {
            _ = try decoder.next()
            decoder.withCanvas { bytes in
                let canvas = PixelBuffer.drawn(.sticker) { x, y in
                    bytes.loadUnaligned(
                        fromByteOffset: (y * 512 + x) * 4, as: SIMD4<UInt8>.self)
                }
                let isShown = shows(canvas, factor: 32, pixel: pixel)
                #expect(isShown)
            }
        }
        #expect(file.encoding?.mode == .lossless)
        #expect(scaling(report)?.contains("pixel art of 16x16") == true)
    }

    @Test func oneSmoothFrameMakesTheWholeAnimationSmooth() throws {
        let photo = PixelBuffer.photo(Sprite.size)

        let report = report(try gif([Sprite.pixel, { x, y in photo[x, y] }]))

        #expect(scaling(report)?.contains("with lanczos3; no pixel art") == true)
    }
}
