import StickerRaster
import StickerTestSupport
import StickerValues
import Testing

/// Pictures taken for pixel art, and others.
struct PixelArtDetectorTests {
    private func finding(
        _ frames: [(Int, Int) -> SIMD4<UInt8>], size: PixelSize = PixelSize(width: 16, height: 16)
    ) -> PixelArtDetector.Finding {
        PixelArtDetector.finding(of: size, .rgba8) { note in
            for frame in frames {
                for y in 0..<size.height {
                    let row = (0..<size.width).map { x in frame(x, y) }
                    let goesOn = row.withUnsafeBytes { note($0, y) }
                    if !goesOn { return }
                }
            }
        }
    }

    private func finding(_ picture: borrowing PixelBuffer) -> PixelArtDetector.Finding {
        let (size, stride) = (picture.size, picture.stride)
        let bytes = picture.withUnsafeBytes { Array($0) }
        return PixelArtDetector.finding(of: size, .rgba8) { note in
            for y in 0..<size.height {
                let goesOn = bytes[(y * stride)...].prefix(stride).withUnsafeBytes { note($0, y) }
                if !goesOn { return }
            }
        }
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

        let art = PixelArt(size: Sprite.size, block: block, colors: Sprite.colors)
        #expect(found == .pixelArt(art))
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
        let found = PixelArtDetector.finding(of: Sprite.size, .rgba16) { note in
            for y in 0..<Sprite.size.height {
                let row = (0..<Sprite.size.width).map { x in
                    SIMD4<UInt16>(truncatingIfNeeded: Sprite.pixel(x, y)) &* 257
                }
                row.withUnsafeBytes { _ = note($0, y) }
            }
        }

        #expect(found == finding([Sprite.pixel]))
    }

    /// Hard edges say more than the number of colours.
    @Test func spriteOfManyShadesIsPixelArt() {
        let found = finding([
            { x, y in
                let pixel = Sprite.pixel(x, y)
                let shade = UInt8((x * 7 + y * 13) % 19)
                return pixel.w == 0 ? pixel : pixel &- SIMD4(shade, shade / 2, shade, 0)
            }
        ])

        guard case .pixelArt(let art) = found else {
            Issue.record("\(found)")
            return
        }
        #expect(art.colors ?? 0 > 32)
    }

    /// Old games have a colour for what is to be transparent.
    @Test func spriteOnAPlainGroundIsPixelArt() {
        let ground = SIMD4<UInt8>(255, 0, 255, 255)
        let found = finding(
            [
                { x, y in
                    let isSprite = 8..<24 ~= x && 8..<24 ~= y
                    let pixel = isSprite ? Sprite.pixel(x - 8, y - 8) : .zero
                    return pixel.w == 0 ? ground : pixel
                }
            ], size: PixelSize(width: 32, height: 32))

        #expect(reason(found) == nil)
    }

    /// A glow that gets no other level of alpha at an edge is no anti-aliasing.
    @Test func translucentShadowOfManyLevelsIsAllowed() {
        let found = finding([
            { x, y in
                let pixel = Sprite.pixel(x, y)
                return pixel.w == 0 && y > 12 ? SIMD4(0, 0, 0, UInt8(90 + 6 * x)) : pixel
            }
        ])

        #expect(reason(found) == nil)
    }

    // MARK: What stays smooth

    /// GIF has 256 colours at most, and such files fewer.
    @Test(arguments: [4, 8, 32])
    func photoOfFewColorsStaysSmooth(levels: Int) {
        let photo = PixelBuffer.photo(PixelSize(width: 96, height: 64))
        let step = 256 / levels
        let found = finding(
            [
                { x, y in
                    let pixel = SIMD4<Int>(truncatingIfNeeded: photo[x, y])
                    var reduced = SIMD4<UInt8>(truncatingIfNeeded: pixel / step &* step)
                    reduced.w = 255
                    return reduced
                }
            ], size: photo.size)

        #expect(reason(found) != nil)
    }

    @Test func photoWithAHardOutlineStaysSmooth() {
        let size = PixelSize(width: 64, height: 64)
        let photo = PixelBuffer.photo(size)
        let found = finding(
            [
                { x, y in
                    let (across, down) = (2 * x - 63, 2 * y - 63)
                    return across * across + down * down < 60 * 60 ? photo[x, y] : .zero
                }
            ], size: size)

        #expect(reason(found) != nil)
    }

    /// GIF cuts the outline of an emoji hard, and keeps the soft edges inside.
    @Test(arguments: [(24, 8), (32, 8), (32, 32), (64, 16)])
    func smoothFaceWithAHardOutlineStaysSmooth(side: Int, step: Int) {
        let parts: [(x: Double, y: Double, radius: Double, color: SIMD4<Double>)] = [
            (22, 24, 5, SIMD4(40, 20, 30, 255)), (42, 24, 5, SIMD4(40, 20, 30, 255)),
            (32, 44, 9, SIMD4(180, 30, 40, 255)), (32, 41, 5, SIMD4(255, 255, 255, 255)),
        ]
        let scale = Double(side) / 64
        let face = { (x: Int, y: Int) -> SIMD4<UInt8> in
            let (across, down) = (2 * x - side + 1, 2 * y - side + 1)
            guard across * across + down * down < (side - 4) * (side - 4) else { return .zero }
            var color = SIMD4<Double>(250, 210, 60, 255)
            for part in parts {
                let (dx, dy) = (Double(x) - part.x * scale, Double(y) - part.y * scale)
                let inside = part.radius * scale + 0.5 - (dx * dx + dy * dy).squareRoot()
                color += (part.color - color) * min(1, max(0, inside))
            }
            var pixel = SIMD4<UInt8>(color) / UInt8(step) &* UInt8(step)
            pixel.w = 255
            return pixel
        }

        let found = finding([face], size: PixelSize(width: side, height: side))

        #expect(reason(found) != nil)
    }

    @Test(arguments: [16, 24, 48, 96, 128])
    func photoStaysSmooth(side: Int) {
        let photo = PixelBuffer.photo(PixelSize(width: side, height: side))

        #expect(reason(finding(photo)) != nil)
    }

    @Test(arguments: [16, 24, 48, 96, 128])
    func softOutlineStaysSmooth(side: Int) {
        let found = finding(.disc(PixelSize(width: side, height: side)))

        #expect(reason(found)?.hasSuffix("% of its outline is soft") == true)
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
        #expect(reason(blank) == "its details are larger than pixels")
        #expect(reason(finding([{ _, _ in SIMD4(9, 9, 9, 255) }])) == "it is plain")
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

        let art = PixelArt(size: Sprite.size, block: 4, colors: Sprite.colors)
        #expect(found == .pixelArt(art))
    }

    @Test func photoThatWasEnlargedWithoutSmoothingStaysSmooth() throws {
        let photo = PixelBuffer.photo(PixelSize(width: 60, height: 40))
        for block in [2, 3, 4] {
            let found = finding(
                [{ x, y in photo[x / block, y / block] }], size: photo.size.enlarged(block))

            let plain = try #require(reason(finding(photo)))
            #expect(
                reason(found) == "\(plain), with its blocks of \(block)x\(block) as pixels")
        }
    }

    @Test func largePictureIsJudgedByItsFirstRow() {
        let size = PixelSize(width: 300, height: 300)
        let photo = PixelBuffer.photo(size)
        var rows = 0

        let found = finding(
            [
                { x, y in
                    rows += 1; return photo[x, y]
                }
            ], size: size)

        #expect(rows == size.width)
        #expect(reason(found) == "it has more than 128 pixels a side")
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
