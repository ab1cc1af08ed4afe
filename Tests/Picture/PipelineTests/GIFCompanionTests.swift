import StickerCodecs
import StickerRaster
import StickerTestSupport
import StickerValues
import Testing

@testable import StickerPipeline

struct GIFCompanionTests {
    /// Frames of noise, which GIF cannot compress: 330 kB each at 512 pixels, 130 kB at 320.
    private func companion(frames: Int, milliseconds: Int = 20) throws -> MadeFile {
        let encoder = try GIFEncoder(size: .sticker, matte: SIMD3(0, 0, 0))
        for number in 0..<frames {
            try encoder.add(
                frame: .noise(.sticker, seed: UInt64(number + 1)), durationMilliseconds: 20)
        }
        let source = AnimationSource(
            try GIFDecoder(
                SourceBytes(#require(try encoder.finish())), limits: DecodeLimits()),
            Drawing(
                scale: Scale(size: .sticker, filter: .lanczos3), canvasSize: .sticker, stages: []),
            budget: WorkBudget(DecodeLimits()), clock: .thread)
        var timeline = try source.survey().timeline
        for index in timeline.frames.indices {
            timeline.frames[index].milliseconds = milliseconds
        }
        return try GIFCompanion(matte: SIMD3(255, 255, 255)).make(timeline, of: source)
    }

    /// Whether the file is as described.
    private func isTrue(_ file: MadeFile) throws -> Bool {
        let decoder = try GIFDecoder(SourceBytes(file.bytes), limits: DecodeLimits())
        return decoder.frameCount == file.frames && decoder.header.size == file.size
            && decoder.durationMilliseconds == file.durationMilliseconds && decoder.loopCount == 0
    }

    @Test func fileThatIsSmallIsAsLargeAsTheSticker() throws {
        let file = try companion(frames: 3)

        #expect(file.size == .sticker && file.frames == 3 && file.durationMilliseconds == 60)
        #expect(try isTrue(file) && file.bytes.count <= GIFCompanion.bytesMax)
    }

    @Test func fileTooLargeIsMadeAgainWithFewerPixels() throws {
        let file = try companion(frames: 10)

        #expect(file.size.width == 320 && file.frames == 10 && file.durationMilliseconds == 200)
        #expect(try isTrue(file) && file.bytes.count <= GIFCompanion.bytesMax)
    }

    @Test func fileStillTooLargeHasFewerFrames() throws {
        let file = try companion(frames: 24)

        #expect(file.size.width == 320 && file.frames == 6 && file.durationMilliseconds == 480)
        #expect(try isTrue(file))
    }

    @Test func framesTooShortForGIFAreCountedAsTheyAre() throws {
        let file = try companion(frames: 4, milliseconds: 10)

        #expect(file.frames == 2 && file.durationMilliseconds == 40)
        #expect(try isTrue(file))
    }
}
