import StickerRaster
import StickerTestSupport
import StickerValues
import Testing

/// The visible part of a sticker in a chat.
struct AppearanceTests {
    private static let side = 512
    private static let size = PixelSize(width: side, height: side)

    private func judged(_ picture: borrowing PixelBuffer) -> Appearance {
        Appearance(of: [(FrameAppearance(of: picture), 0)])
    }

    private static func grey(_ level: UInt8) -> SIMD4<UInt8> { SIMD4(level, level, level, 255) }

    /// A ring in the middle of the canvas, and what is inside it.
    private func badge(
        ring: SIMD4<UInt8>, width: Int, inside: SIMD4<UInt8> = .zero, radius: Int = 200
    ) -> PixelBuffer {
        .drawn(Self.size) { x, y in
            let (dx, dy) = (x - Self.side / 2, y - Self.side / 2)
            let squared = dx * dx + dy * dy
            if squared > radius * radius { return .zero }
            return squared > (radius - width) * (radius - width) ? ring : inside
        }
    }

    @Test func blackLineArtVanishesOnDarkAlone() {
        let looks = judged(badge(ring: Self.grey(0), width: 6))

        #expect(looks.onDarkPercent == 0 && looks.onLightPercent == 100)
    }

    /// A few grey pixels make black lines no easier to see.
    @Test func fewGreyPixelsSaveNoLineArt() {
        var picture = badge(ring: Self.grey(0), width: 6)
        for y in 56..<76 {
            for x in 240..<272 where picture[x, y].w > 0 { picture[x, y] = Self.grey(160) }
        }

        #expect(judged(picture).onDarkPercent < 10)
    }

    @Test func whiteArtVanishesOnLightUnlessItHasAnOutline() {
        let bare = judged(badge(ring: Self.grey(255), width: 200))
        let outlined = judged(badge(ring: Self.grey(0), width: 4, inside: Self.grey(255)))

        #expect(bare.onLightPercent == 0 && bare.onDarkPercent == 100)
        #expect(outlined.onLightPercent > 90 && outlined.onDarkPercent > 90)
    }

    @Test func blackArtWithALightOutlineIsSeenOnDark() {
        let looks = judged(badge(ring: Self.grey(255), width: 8, inside: Self.grey(0)))

        #expect(looks.onDarkPercent > 90 && looks.onLightPercent > 40)
    }

    /// Each pair of colours lies at one side of the limit of what people distinguish at a glance.
    @Test(arguments: [
        (SIMD4<UInt8>(0x1B, 0x1B, 0x1B, 255), false), (SIMD4(0x48, 0x48, 0x48, 255), true),
        (SIMD4(0, 0, 0x40, 255), false), (SIMD4(0, 0, 255, 255), true),
        (SIMD4(0x90, 0, 0, 255), true),
    ])
    func darkShadesAreToldFromADarkGround(color: SIMD4<UInt8>, isSeen: Bool) {
        let looks = judged(badge(ring: color, width: 200))

        #expect((looks.onDarkPercent > 90) == isSeen && (looks.onDarkPercent < 5) != isSeen)
        #expect(looks.onLightPercent == 100)
    }

    @Test(arguments: [
        (SIMD4<UInt8>(0xF8, 0xF8, 0xF8, 255), false), (SIMD4(0xD8, 0xC8, 0xB8, 255), true),
        (SIMD4(255, 255, 0, 255), true), (SIMD4(0xEF, 0xEA, 0xE2, 255), false),
        (SIMD4(255, 255, 255, 128), false),
    ])
    func lightShadesAreToldFromALightGround(color: SIMD4<UInt8>, isSeen: Bool) {
        let looks = judged(badge(ring: color, width: 200))

        #expect((looks.onLightPercent > 90) == isSeen && (looks.onLightPercent < 5) != isSeen)
        #expect(looks.onDarkPercent == 100)
    }

    /// Ink on paper is seen on any ground, however little of the paper it covers.
    @Test func drawingOnAnOpaqueSheetVanishesNowhere() {
        let sheet = PixelBuffer.drawn(Self.size) { x, y in
            let (dx, dy) = (x - 256, y - 256)
            return Self.grey((3600...4356).contains(dx * dx + dy * dy) ? 0 : 255)
        }

        let looks = judged(sheet)

        #expect(looks.onLightPercent == 100 && looks.onDarkPercent > 90)
    }

    @Test func photographVanishesNowhereAndHasNoMargin() {
        let looks = judged(.photo(Self.size))

        #expect(looks.onDarkPercent > 90 && looks.onLightPercent > 90)
        #expect(looks.marginPixels == 0 && !looks.startsEmpty)
    }

    @Test(arguments: [0, 1, 15, 16, 40])
    func marginIsThatOfTheNearestEdge(margin: Int) {
        let picture = PixelBuffer.drawn(Self.size) { x, y in
            let isInside = x >= margin && x < 400 && y >= 60 && y < 400
            // The last shades of a soft edge count for nothing.
            return isInside ? Self.grey(100) : SIMD4(100, 100, 100, 8)
        }

        #expect(judged(picture).marginPixels == margin)
    }

    @Test func marginIsThatOfACanvasOf512() {
        let small = PixelBuffer.disc(PixelSize(width: 240, height: 240))

        let margin = judged(small.centered(on: PixelSize(width: 256, height: 256))).marginPixels

        #expect(margin == 16)
    }

    @Test func tinyArtIsSeen() {
        let looks = judged(badge(ring: Self.grey(128), width: 5, radius: 5))

        #expect(looks.onDarkPercent > 60 && looks.onLightPercent > 60)
        #expect(looks.marginPixels > 240 && !looks.startsEmpty)
    }

    @Test func emptyPictureIsEmptyAndNothingElse() {
        let looks = judged(PixelBuffer(size: Self.size))

        #expect(looks.startsEmpty && looks.marginPixels >= 16)
    }

    // MARK: Animations

    private func judged(_ frames: [(appearance: FrameAppearance, milliseconds: Int)]) -> Appearance
    {
        Appearance(of: frames)
    }

    @Test func animationIsJudgedByAllItShows() {
        let dark = FrameAppearance(of: badge(ring: Self.grey(0), width: 200))
        let bright = FrameAppearance(of: badge(ring: Self.grey(255), width: 200))

        let mostlyDark = judged([(dark, 950), (bright, 50)])
        let both = judged([(dark, 500), (bright, 500)])

        #expect(mostlyDark.onDarkPercent == 5 && mostlyDark.onLightPercent == 95)
        #expect(both.onDarkPercent == 50 && both.onLightPercent == 50)
    }

    @Test func firstFrameIsEmptyIfItShowsNextToNothing() {
        let spark = FrameAppearance(of: badge(ring: Self.grey(128), width: 9, radius: 9))
        let whole = FrameAppearance(of: badge(ring: Self.grey(128), width: 200))
        let half = FrameAppearance(of: badge(ring: Self.grey(128), width: 140, radius: 140))

        #expect(judged([(spark, 100), (whole, 100)]).startsEmpty)
        #expect(!judged([(whole, 100), (spark, 100)]).startsEmpty)
        #expect(!judged([(half, 100), (whole, 100)]).startsEmpty)
    }

    @Test func frameThatComesNearestTellsTheMargin() {
        let near = FrameAppearance(of: badge(ring: Self.grey(128), width: 9, radius: 250))
        let far = FrameAppearance(of: badge(ring: Self.grey(128), width: 9, radius: 100))

        #expect(judged([(far, 100), (near, 10), (far, 100)]).marginPixels == 5)
    }
}
