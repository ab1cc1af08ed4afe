import StickerCodecs
import StickerPipeline
import StickerRaster
import StickerTestSupport
import StickerValues
import Testing

/// A budget of 0 is used up by the first thing that is done.
struct BudgetTests {
    private func limits(cpu: Int = 60) -> DecodeLimits {
        var limits = DecodeLimits()
        limits.cpuSecondsMax = cpu
        return limits
    }

    private func refusal(_ file: [UInt8], _ limits: DecodeLimits) -> Refusal? {
        let report = StickerPipeline().make(
            SourceBytes(file), recipe: Recipe(settings: StickerSettings()), limits: limits)
        guard case .failure(.refused(let refusal)) = report.result else { return nil }
        return refusal
    }

    private var picture: PixelBuffer { .disc(PixelSize(width: 90, height: 60)) }

    @Test func stillsThatTakeTooMuchComputingAreRefused() throws {
        let refusal = try #require(self.refusal(PNGEncoder.encode(picture), limits(cpu: 0)))

        #expect(refusal.reason == .tooComplex)
        #expect(refusal.detail == "making the sticker takes too much CPU time")
        #expect(refusal.measured == "more than 0 s")
        #expect(refusal.limit == "0 s (limits.cpuSecondsMax)")
    }

    @Test func animationsThatTakeTooLongAreRefused() throws {
        let gif = TestGIF(width: 8, height: 8, frames: [.filled(1, 8, 8), .filled(2, 8, 8)])

        #expect(refusal(gif.bytes, limits(cpu: 0))?.reason == .tooComplex)
        #expect(refusal(gif.bytes, limits()) == nil)
    }

    /// libwebp is asked to stop while it codes, and the reason is reported.
    @Test func encodersStopWithinAPicture() throws {
        let spent = WorkBudget(limits(cpu: 0))
        let encoder = WebPEncoder(picture, budget: spent)
        let film = try WebPAnimationEncoder(
            size: picture.size, loopCount: 0, level: 1,
            budget: spent)

        let lossy = #expect(throws: CodecError.self) { try encoder.lossy(quality: 50) }
        let lossless = #expect(throws: CodecError.self) { try encoder.lossless(level: 0) }
        let moving = #expect(throws: CodecError.self) {
            try film.add(picture, milliseconds: 100)
            try film.add(.disc(picture.size, red: 3), milliseconds: 100)
            _ = try film.finish()
        }

        for error in [lossy, lossless, moving] { #expect(error?.code == .outOfTime) }
    }
}
