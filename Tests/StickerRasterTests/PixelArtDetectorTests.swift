import StickerModel
import StickerRaster
import StickerTestSupport
import Testing

/// What is taken for pixel art, and what is not.
struct PixelArtDetectorTests {
    private func finding(
        _ frames: [(Int, Int) -> SIMD4<UInt8>], size: PixelSize = PixelSize(width: 16, height: 16)
    ) -> PixelArtDetector.Finding {
        var detector = PixelArtDetector(size: size, layout: .rgba8)
        for frame in frames { detector.note(.drawn(size, frame)) }
        return detector.finding
    }

    private func finding(_ picture: borrowing PixelBuffer) -> PixelArtDetector.Finding {
        var detector = PixelArtDetector(size: picture.size, layout: .rgba8)
        detector.note(picture)
        return detector.finding
    }

    private func reason(_ finding: PixelArtDetector.Finding) -> String? {
        if case .smooth(let reason) = finding { reason } else { nil }
    }

    // MARK: Pixel art

    @Test func spriteIsPixelArt() {
        let found = finding([Sprite.pixel])

        #expect(found == .pixelArt(PixelArt(size: Sprite.size, colors: Sprite.colors)))
    }

    @Test(arguments: [2, 3, 8, 32])
    func enlargedSpriteIsCountedByItsOwnPixels(block: Int) {
        let found = finding(
            [{ x, y in Sprite.pixel(x / block, y / block) }], size: Sprite.size.enlarged(block))

        #expect(found == .pixelArt(PixelArt(size: Sprite.size, block: block)))
    }

    @Test func hardShadowIsAllowed() {
        let found = finding([
            { x, y in
                let pixel = Sprite.pixel(x, y)
                return pixel.w == 0 && y > 12 ? SIMD4(0, 0, 0, 96) : pixel
            }
        ])

        #expect(reason(found) == nil)
    }

    @Test func colorsOfWhatIsTransparentDoNotCount() {
        let found = finding([
            { x, y in
                let pixel = Sprite.pixel(x, y)
                return pixel.w == 0 ? SIMD4(UInt8(x * 16), UInt8(y * 16), 7, 0) : pixel
            }
        ])

        #expect(found == finding([Sprite.pixel]))
    }

    @Test func wideSamplesSayTheSame() {
        var detector = PixelArtDetector(size: Sprite.size, layout: .rgba16)
        for y in 0..<Sprite.size.height {
            let row = (0..<Sprite.size.width).map { x in
                SIMD4<UInt16>(truncatingIfNeeded: Sprite.pixel(x, y)) &* 257
            }
            row.withUnsafeBytes { detector.note($0, y: y) }
        }

        #expect(detector.finding == finding([Sprite.pixel]))
    }

    // MARK: What stays smooth

    @Test(arguments: [16, 24, 48, 96, 128])
    func photoStaysSmooth(side: Int) {
        let photo = PixelBuffer.photo(PixelSize(width: side, height: side))

        #expect(reason(finding(photo)) != nil)
    }

    @Test(arguments: [16, 24, 48, 96, 128])
    func softOutlineStaysSmooth(side: Int) {
        let found = finding(.disc(PixelSize(width: side, height: side)))

        #expect(reason(found) == "its outline is soft, with more than 2 levels of alpha")
    }

    @Test(arguments: [16, 24, 48, 96])
    func softEdgesOnAGroundStaySmooth(side: Int) {
        let disc = PixelBuffer.disc(PixelSize(width: side, height: side))
        let found = finding(
            [
                { x, y in
                    let color = SIMD4<Int32>(truncatingIfNeeded: disc[x, y])
                    let mixed = (color &* color.w &+ 255 &* (255 &- color.w)) / 255
                    var pixel = SIMD4<UInt8>(truncatingIfNeeded: mixed)
                    pixel.w = 255
                    return pixel
                }
            ], size: disc.size)

        #expect(reason(found) != nil)
    }

    @Test func gradientStaysSmooth() {
        #expect(reason(finding(.gradient(PixelSize(width: 200, height: 200)))) != nil)
        let sky = finding(
            [{ _, y in SIMD4(90, 140, UInt8(200 + y / 4), 255) }],
            size: PixelSize(width: 64, height: 64))
        #expect(reason(sky) != nil)
    }

    @Test func plainAreasHaveNothingToKeepSharp() {
        let flag = finding(
            [{ _, y in y < 33 ? SIMD4(200, 0, 0, 255) : SIMD4(0, 0, 200, 255) }],
            size: PixelSize(width: 120, height: 80))
        let blank = finding(
            [{ _, _ in SIMD4(9, 9, 9, 255) }], size: PixelSize(width: 96, height: 64))

        #expect(reason(flag) == "its details are larger than pixels")
        #expect(reason(blank) == "it is plain")
    }

    @Test func mosaicOfLargeCellsIsNoPixelArt() {
        let colors: [SIMD4<UInt8>] = [
            SIMD4(200, 30, 30, 255), SIMD4(30, 90, 200, 255), SIMD4(250, 210, 60, 255),
        ]
        let cells = { (x: Int, y: Int) in colors[(x / 8 * 5 + y / 8 * 7 + x / 24) % 3] }
        let moved = { (x: Int, y: Int) in cells(x + 3, y + 5) }

        let found = finding([cells, moved], size: PixelSize(width: 96, height: 64))

        #expect(reason(found) == "its details are larger than pixels")
    }

    @Test func fieldsOfAFewColorsAreNoPixelArt() {
        let fields = { (x: Int, y: Int) in
            SIMD4<UInt8>(UInt8(x / 16 * 60), UInt8(y / 16 * 200), 90, 255)
        }

        #expect(reason(finding([fields], size: PixelSize(width: 64, height: 32))) != nil)
    }

    @Test func everyFrameCounts() {
        let photo = PixelBuffer.photo(Sprite.size)
        let frames = [Sprite.pixel, { x, y in photo[x, y] }]

        #expect(reason(finding(frames)) != nil)
        #expect(reason(finding([Sprite.pixel, Sprite.mirrored])) == nil)
    }

    @Test func blocksAreThoseOfAllFrames() {
        let large = { (x: Int, y: Int) in Sprite.pixel(x / 4, y / 4) }
        let turned = { (x: Int, y: Int) in Sprite.mirrored(x / 4, y / 4) }

        let found = finding([large, turned], size: Sprite.size.enlarged(4))

        #expect(found == .pixelArt(PixelArt(size: Sprite.size, block: 4)))
    }

    @Test func largePictureIsHopelessFromItsFirstRows() {
        let size = PixelSize(width: 300, height: 300)
        let photo = PixelBuffer.photo(size)
        var detector = PixelArtDetector(size: size, layout: .rgba8)

        detector.note(photo, rows: 0..<2)

        #expect(detector.isHopeless)
        #expect(reason(detector.finding) == "it has more than 128 pixels a side")
    }

    // MARK: Factors

    @Test(
        arguments: [
            (16, 512, 32), (48, 512, 10), (100, 512, 5), (170, 512, 3), (171, 512, nil),
            (192, 512, 2), (256, 512, 2), (16, 96, 6), (65, 96, nil), (96, 96, 1),
        ] as [(Int, Int, Int?)])
    func factorIsWholeAndFillsThreeQuarters(side: Int, room: Int, factor: Int?) {
        let art = PixelArt(size: PixelSize(width: side, height: side / 2))

        #expect(art.factor(inside: PixelSize(width: room, height: room / 2)) == factor)
    }
}

extension PixelArtDetector {
    fileprivate mutating func note(_ frame: borrowing PixelBuffer, rows: Range<Int>? = nil) {
        let stride = frame.stride
        let rows = rows ?? 0..<frame.size.height
        frame.withUnsafeBytes { bytes in
            for y in rows {
                note(
                    UnsafeRawBufferPointer(rebasing: bytes[(y * stride)...].prefix(stride)), y: y)
            }
        }
    }
}
