import StickerContainers
import StickerRaster
import StickerTestSupport
import StickerValues
import Testing

@testable import StickerCodecs

struct AnimationGroundTests {
    private let size = PixelSize(width: 40, height: 40)

    /// A frame that is opaque in `rows` and has `outside` elsewhere.
    private func frame(
        _ rows: Range<Int>, shade: UInt8, outside: SIMD4<UInt8> = .zero
    ) -> PixelBuffer {
        PixelBuffer.drawn(size) { x, y in
            rows.contains(y) ? SIMD4(shade, UInt8(6 * x), 90, 255) : outside
        }
    }

    /// Two frames that are opaque in `rows`.
    private func animation(
        of rows: Range<Int>, outside: SIMD4<UInt8> = .zero
    ) throws -> [UInt8] {
        let encoder = try WebPAnimationEncoder(size: size, loopCount: 0, level: 0)
        for shade in [20, 200] as [UInt8] {
            try encoder.add(frame(rows, shade: shade, outside: outside), milliseconds: 100)
        }
        return try encoder.finish()
    }

    private func hasAlphaFlag(_ file: [UInt8]) -> Bool { file[20] & 0x10 != 0 }
    private func background(_ file: [UInt8]) -> [UInt8] { Array(file[38..<42]) }

    @Test func opaqueFramesSmallerThanTheCanvasStandOnTransparency() throws {
        let file = try animation(of: 10..<30)

        #expect(hasAlphaFlag(file) && background(file) == [0, 0, 0, 0])
        #expect(WebPAudit.faults(in: file, canvas: size, frames: 2) == [])
        let decoder = try WebPAnimationDecoder(file)
        #expect(try decoder.next()?.canvas[5, 5].w == 0)
    }

    @Test func auditDemandsTheFlagOfOurFilesAlone() throws {
        var file = try animation(of: 10..<30)
        file[20] &= 0xEF

        #expect(
            WebPAudit.faults(in: file, canvas: size, frames: 2)
                == ["the VP8X flags are 2, not 18"])
        #expect(
            WebPAudit.sortedFaults(in: file, canvas: size, frames: 2, acceptsMetadata: true).isEmpty
        )
    }

    @Test func whollyOpaqueFramesNeedNoAlpha() throws {
        let file = try animation(of: 0..<40)

        #expect(!hasAlphaFlag(file) && background(file) == [255, 255, 255, 255])
    }

    @Test func artWithAlphaOfItsOwnStaysAsItWas() throws {
        let soft = SIMD4<UInt8>(9, 9, 9, 100)
        let file = try animation(of: 10..<30, outside: soft)

        #expect(hasAlphaFlag(file) && background(file) == [255, 255, 255, 255])
    }

    /// A lossy file begins with a frame of the whole canvas, which has an alpha plane.
    @Test func lossyFilesStandOnTransparencyToo() {
        var ground = AnimationGround()
        for shade in [20, 200] as [UInt8] { ground.note(frame(10..<30, shade: shade)) }
        let picture = RIFF.AnimationFrame(
            x: 0, y: 0, size: size, milliseconds: 100, isBlended: false, alpha: [0], color: [0])
        let file = RIFF.animation(size: size, loopCount: 0, frames: [picture, picture])

        let applied = ground.applied(to: file)

        #expect(background(file) == [255, 255, 255, 255] && background(applied) == [0, 0, 0, 0])
        #expect(applied.count == file.count && hasAlphaFlag(applied))
    }

    @Test func stillsRemainAsTheyAre() throws {
        var ground = AnimationGround()
        ground.note(frame(10..<30, shade: 20))
        let still = try WebPEncoder(frame(10..<30, shade: 20)).lossless(level: 0)

        #expect(ground.applied(to: still) == still)
    }
}
