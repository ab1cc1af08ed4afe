import StickerRaster
import StickerTestSupport
import StickerValues
import Testing

/// Calls the resampler with rows of 8-bit pixels.
private func resample(
    _ size: PixelSize, to target: PixelSize, _ filter: ResampleFilter = .lanczos3,
    pixel: (Int, Int) -> SIMD4<UInt8>
) -> PixelBuffer {
    let resampler = rowResampler(
        from: size, to: target, layout: .rgba8, hasAlpha: true, filter: filter)
    for y in 0..<size.height {
        let row = (0..<size.width).map { pixel($0, y) }
        row.withUnsafeBytes { resampler.consume($0) }
    }
    return resampler.finish()
}

struct ResampleTests {
    @Test(arguments: [(7, 5), (64, 64), (512, 512), (1000, 300), (2, 1500)])
    func flatColourStaysFlat(width: Int, height: Int) {
        let color = SIMD4<UInt8>(200, 100, 3, 255)

        let result = resample(
            PixelSize(width: width, height: height), to: PixelSize(width: 97, height: 61)
        ) { _, _ in color }

        for y in 0..<61 { for x in 0..<97 { #expect(result[x, y] == color) } }
    }

    @Test func equalSizeCopiesEveryPixel() {
        let pixel = { (x: Int, y: Int) in
            SIMD4<UInt8>(UInt8(x * 7 & 255), UInt8(y * 5 & 255), UInt8(x ^ y), 255)
        }

        let result = resample(
            PixelSize(width: 50, height: 40), to: PixelSize(width: 50, height: 40), pixel: pixel)

        for y in 0..<40 { for x in 0..<50 { #expect(result[x, y] == pixel(x, y)) } }
    }

    /// An anti-aliased disc of one colour has no halo: its colour stays within 2 wherever it shows.
    @Test(arguments: [(40, 512), (300, 512), (2000, 512), (700, 144)])
    func discKeepsItsColourAtTheEdge(side: Int, target: Int) {
        let color = SIMD4<UInt8>(230, 40, 90, 0)
        let center = Double(side) / 2
        let disc = { (x: Int, y: Int) -> SIMD4<UInt8> in
            let dx = Double(x) + 0.5 - center
            let dy = Double(y) + 0.5 - center
            let edge = Double(side) * 0.45 - (dx * dx + dy * dy).squareRoot() + 0.5
            var pixel = color
            pixel.w = UInt8(min(max(edge, 0), 1) * 255)
            return pixel.w == 0 ? .zero : pixel
        }

        let result = resample(
            PixelSize(width: side, height: side), to: PixelSize(width: target, height: target),
            pixel: disc)

        for background in [0, 128, 255] {
            for y in 0..<target {
                for x in 0..<target {
                    let pixel = result[x, y]
                    let alpha = Int(pixel.w)
                    for channel in 0..<3 {
                        let shown = (Int(pixel[channel]) * alpha + background * (255 - alpha)) / 255
                        let ideal = (Int(color[channel]) * alpha + background * (255 - alpha)) / 255
                        #expect(abs(shown - ideal) <= 2)
                    }
                }
            }
        }
    }

    @Test func sixteenBitRowsKeepTheirPrecisionUntilTheEnd() {
        let size = PixelSize(width: 2, height: 1)
        let resampler = rowResampler(
            from: size, to: PixelSize(width: 1, height: 1), layout: .rgba16, hasAlpha: true,
            filter: .lanczos3)
        // 0.4 and 1, 1.2 and 2 of 255: rounded before scaling, the means would be 0.5 and 1.5.
        let row: [UInt16] = [103, 308, 65535, 65535, 257, 514, 65535, 65535]

        row.withUnsafeBytes { resampler.consume($0) }
        let result = resampler.finish()

        #expect(result[0, 0] == SIMD4(1, 2, 255, 255))
    }

    @Test func nearestInventsNoColour() {
        let palette = [SIMD4<UInt8>(255, 0, 0, 255), SIMD4(0, 0, 255, 255), SIMD4(0, 0, 0, 0)]

        let result = resample(
            PixelSize(width: 9, height: 9), to: PixelSize(width: 512, height: 512), .nearest
        ) { x, y in palette[(x + y) % 3] }

        for y in 0..<512 { for x in 0..<512 { #expect(palette.contains(result[x, y])) } }
        #expect(result[0, 0] == palette[0] && result[511, 511] == palette[16 % 3])
    }
}

struct LayoutTests {
    /// A 2x3 picture whose pixels are all different.
    private func picture() -> PixelBuffer {
        var buffer = PixelBuffer(size: PixelSize(width: 2, height: 3))
        for y in 0..<3 { for x in 0..<2 { buffer[x, y] = SIMD4(UInt8(x), UInt8(y), 0, 255) } }
        return buffer
    }

    /// Where the upright picture's top left and bottom right come from, by EXIF 2.32 table 5.
    @Test(arguments: [
        (Orientation.up, 0, 0, 1, 2), (.upMirrored, 1, 0, 0, 2), (.down, 1, 2, 0, 0),
        (.downMirrored, 0, 2, 1, 0), (.leftMirrored, 0, 0, 1, 2), (.right, 0, 2, 1, 0),
        (.rightMirrored, 1, 2, 0, 0), (.left, 1, 0, 0, 2),
    ])
    func orientationIsUndone(orientation: Orientation, x0: Int, y0: Int, x1: Int, y1: Int) {
        let upright = picture().oriented(orientation)
        let last = (x: upright.size.width - 1, y: upright.size.height - 1)

        #expect(upright.size.width == (orientation.transposes ? 3 : 2))
        #expect(upright[0, 0] == SIMD4(UInt8(x0), UInt8(y0), 0, 255))
        #expect(upright[last.x, last.y] == SIMD4(UInt8(x1), UInt8(y1), 0, 255))
    }

    @Test func centringPadsWithTransparentPixels() {
        let placed = picture().centered(on: PixelSize(width: 5, height: 6))

        #expect(placed[1, 1] == SIMD4(0, 0, 0, 255))
        #expect(placed[2, 3] == SIMD4(1, 2, 0, 255))
        #expect(placed[0, 0] == .zero && placed[3, 3] == .zero && placed[1, 4] == .zero)
    }

    @Test func similarityIsThatOfTheFormula() {
        let size = PixelSize(width: 11, height: 3)
        func plain(_ level: UInt8, alpha: UInt8 = 255) -> PixelBuffer {
            .drawn(size) { _, _ in SIMD4(level, level, level, alpha) }
        }

        let grays = plain(100).similarity(to: plain(110))
        let whites = plain(255).similarity(to: plain(255, alpha: 245))

        // 10 log10(255² / 10²)
        #expect(abs(grays.onBlack - 28.1308) < 0.001 && abs(grays.onWhite - 28.1308) < 0.001)
        #expect(abs(whites.onBlack - 28.1308) < 0.001 && whites.onWhite > 100)
    }

    @Test func similarityTellsEqualFromDifferent() {
        var changed = picture()
        changed[0, 0] = SIMD4(255, 255, 255, 255)
        let original = picture()

        #expect(original.similarity(to: picture()).worst == .infinity)
        #expect(original.similarity(to: changed).worst < 20)
        #expect(original.showsSame(as: picture()) && !original.showsSame(as: changed))
    }
}
