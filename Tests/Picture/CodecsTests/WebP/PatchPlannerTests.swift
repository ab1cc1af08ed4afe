import StickerRaster
import StickerTestSupport
import StickerValues
import Testing

@testable import StickerCodecs

/// The patches of the frames of a lossy animation.
struct PatchPlannerTests {
    private let size = PixelSize(width: 64, height: 64)
    private let background: SIMD4<UInt8> = SIMD4(40, 80, 120, 255)

    /// The background with a square of `side` pixels at `x`, `y` in `color`.
    private func frame(
        _ x: Int = 0, _ y: Int = 0, side: Int = 0, _ color: SIMD4<UInt8> = SIMD4(250, 0, 0, 255)
    ) -> PixelBuffer {
        .drawn(size) { column, row in
            let isInside = (x..<(x + side)).contains(column) && (y..<(y + side)).contains(row)
            return isInside ? color : background
        }
    }

    @Test func firstFrameIsDrawnAsAWhole() throws {
        var planner = PatchPlanner(size: size)

        let found = planner.patch(for: frame())
        let patch = try #require(found)

        #expect(patch.area == PixelRectangle(x: 0, y: 0, width: 64, height: 64))
        #expect(!patch.isBlended && patch.drawnCount == 64)
    }

    @Test func onlyWhatChangedIsDrawn() throws {
        var planner = PatchPlanner(size: size)
        _ = planner.patch(for: frame())

        // Two squares that touch at no edge: seven of nine are left out.
        let changed = PixelBuffer.drawn(size) { x, y in
            let isInside = (x == 21 && y == 19) || (x == 33 && y == 35)
            return isInside ? SIMD4(250, 0, 0, 255) : background
        }
        let found = planner.patch(for: changed)
        let patch = try #require(found)

        #expect(patch.area == PixelRectangle(x: 20, y: 18, width: 14, height: 18))
        #expect(patch.isBlended && patch.drawnCount == 2)
        let pixels = patch.pixels(of: changed)
        #expect(pixels[1, 1] == SIMD4(250, 0, 0, 255))
        #expect(pixels[13, 1].w == 0, "it is in a square that did not change")
        #expect(planner.patch(for: changed) == nil)
    }

    /// Holes in a patch have edges, which cost more than a few squares.
    @Test func patchThatIsNearlyFullHasNoHoles() throws {
        var planner = PatchPlanner(size: size)
        _ = planner.patch(for: frame())

        let found = planner.patch(for: frame(8, 8, side: 40))
        let patch = try #require(found)

        #expect(!patch.isBlended && patch.drawnCount == 25)
    }

    /// Else a fade would leave a ghost of what it began with.
    @Test func slowChangesAddUp() throws {
        var planner = PatchPlanner(size: size)
        _ = planner.patch(for: frame(40, 40, side: 8))
        _ = planner.patch(for: frame())
        func faded(_ levels: UInt8) -> PixelBuffer {
            frame(0, 0, side: 8, background &+ SIMD4(levels, 0, 0, 0))
        }

        #expect(planner.patch(for: faded(1)) == nil)
        #expect(planner.patch(for: faded(2)) != nil)
        #expect(planner.patch(for: faded(3)) == nil)
        #expect(planner.patch(for: faded(4)) != nil)
    }

    /// An animation of one frame is none.
    @Test func secondFrameIsDrawnHoweverLittleItDiffers() {
        var planner = PatchPlanner(size: size)
        _ = planner.patch(for: frame())

        let second = planner.patch(for: frame(0, 0, side: 1, background &+ SIMD4(1, 0, 0, 0)))

        #expect(second?.drawnCount == 1)
    }

    @Test func faintestChangeOfTheSecondFrameIsDrawn() {
        var planner = PatchPlanner(size: size)
        _ = planner.patch(for: frame(0, 0, side: 20, SIMD4(10, 10, 10, 1)))

        #expect(planner.patch(for: frame(0, 0, side: 20, SIMD4(11, 10, 10, 1))) != nil)
    }

    /// Nothing that is laid over a picture makes it more transparent.
    @Test func whatBecomesTransparentReplacesItsArea() throws {
        var planner = PatchPlanner(size: size)
        _ = planner.patch(for: frame())

        let hole = frame(17, 30, side: 12, .zero)
        let found = planner.patch(for: hole)
        let patch = try #require(found)

        #expect(patch.area == PixelRectangle(x: 16, y: 30, width: 13, height: 12))
        #expect(!patch.isBlended)
        #expect(patch.pixels(of: hole)[0, 0] == background)
    }

    /// A trace that is too faint to be seen against one ground shows against another.
    @Test func traceOfAnEarlierFrameDoesNotStayWhereAFrameIsClear() throws {
        var planner = PatchPlanner(size: size)
        _ = planner.patch(for: frame(0, 0, side: 20, SIMD4(255, 255, 255, 40)))
        _ = planner.patch(for: frame(0, 0, side: 20, SIMD4(255, 255, 255, 4)))

        #expect(planner.patch(for: frame(0, 0, side: 20, SIMD4(255, 255, 255, 6))) == nil)
        let patch = planner.patch(for: frame(0, 0, side: 20, .zero))
        #expect(try #require(patch).area == PixelRectangle(x: 0, y: 0, width: 20, height: 20))
    }

    /// Colours where alpha is 0 are no change.
    @Test func hiddenColoursAreNotDrawn() {
        var planner = PatchPlanner(size: size)
        _ = planner.patch(for: frame(0, 0, side: 20, .zero))

        #expect(planner.patch(for: frame(0, 0, side: 20, SIMD4(200, 9, 9, 0))) == nil)
    }

    /// Beside squares that are drawn, others have a colour of their own: one from far away would shine
    /// through.
    @Test func squaresThatAreLeftOutContinueTheirSurroundings() throws {
        let dark: SIMD4<UInt8> = SIMD4(10, 10, 10, 255)
        func scene(_ spot: SIMD4<UInt8>) -> PixelBuffer {
            .drawn(size) { x, y in
                (x == 2 && y == 2) || (x == 50 && y == 50) ? spot : x < 24 ? dark : background
            }
        }
        var planner = PatchPlanner(size: size)
        _ = planner.patch(for: scene(dark))

        let bright = scene(SIMD4(255, 255, 255, 255))
        let patch = planner.patch(for: bright)
        let pixels = try #require(patch).pixels(of: bright)

        // The patch begins at column 2 and row 2; the spot is in the square from column 48 on.
        #expect(pixels[44 - 2, 49 - 2] == SIMD4(background.x, background.y, background.z, 0))
    }
}
