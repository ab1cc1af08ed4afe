import StickerCodecs
import StickerPipeline
import StickerRaster
import StickerTestSupport
import StickerValues
import Testing

/// The readable part of a damaged file is used if an operator accepts that, and only then.
struct AcceptedDamageTests {
    private func make(_ file: [UInt8], accepting: Bool = true) -> MakeReport {
        var recipe = Recipe(settings: StickerSettings())
        if accepting { recipe.acceptsDamage = true }
        return StickerPipeline(isStickerAlone: true).make(
            SourceBytes(file), recipe: recipe, limits: DecodeLimits())
    }

    private func reason(_ report: MakeReport) -> Refusal.Reason? {
        guard case .failure(.refused(let refusal)) = report.result else { return nil }
        return refusal.reason
    }

    @Test func rowsThatAPNGLacksAreTransparent() throws {
        let whole = PixelBuffer.noise(PixelSize(width: 512, height: 512))
        let file = try PNGEncoder.encode(whole)
        let cut = Array(file[..<(file.count * 3 / 4)])

        let report = make(cut)

        let made = try report.result.get()
        let still = try WebPDecoder.still(try #require(made.files.first).bytes)
        #expect((0..<512).allSatisfy { still[$0, 300].w == 255 })
        #expect((0..<512).allSatisfy { still[$0, 480].w == 0 })
        #expect(report.warnings.map(\.code) == ["damage-accepted"])
        #expect(reason(make(cut, accepting: false)) == .truncated)
    }

    @Test func damageInTheMiddleEndsAPNGThere() throws {
        var file = try PNGEncoder.encode(.noise(PixelSize(width: 96, height: 96)))
        file[file.count / 2] ^= 0xFF
        #expect(reason(make(file, accepting: false)) == .corrupt)
        #expect(reason(make(file)) == nil)
    }

    @Test func animationEndsBeforeTheFrameThatIsCut() throws {
        let gif = TestGIF(
            width: 40, height: 40,
            frames: [.filled(0, 40, 40), .filled(1, 40, 40), .filled(2, 40, 40)]
        )
        let cut = Array(gif.bytes.dropLast(200))

        let made = try make(cut).result.get()

        #expect(made.files.first?.frames == 2)
        #expect(reason(make(cut, accepting: false)) == .truncated)
    }

    @Test func jpegWithoutItsEndIsTaken() throws {
        let file = TestInkJPEG(cyan: 255, magenta: 0, yellow: 0, black: 0).bytes
        let cut = Array(file.dropLast(2))

        #expect(reason(make(cut)) == nil)
        #expect(reason(make(cut, accepting: false)) == .truncated)
    }

    /// A picture of which nothing is there is none.
    @Test func fileWithoutARowIsRefused() throws {
        let file = try PNGEncoder.encode(.noise(PixelSize(width: 64, height: 64)))
        #expect(reason(make(Array(file[..<40]))) == .truncated)
        #expect(reason(make(Array(file[..<20]))) == .truncated)
        let gif = TestGIF(width: 4, height: 4, frames: [.filled(0, 4, 4)])
        #expect(reason(make(Array(gif.bytes.dropLast(12)))) == .noFrames)
    }

    @Test func limitsHoldForDamagedFiles() throws {
        var limits = DecodeLimits()
        limits.framePixelsMax = 1000
        var recipe = Recipe(settings: StickerSettings())
        recipe.acceptsDamage = true
        let file = try PNGEncoder.encode(.noise(PixelSize(width: 64, height: 64)))
        let report = StickerPipeline().make(
            SourceBytes(Array(file.dropLast(30))), recipe: recipe, limits: limits)
        #expect(reason(report) == .tooManyPixels)
    }

    /// The canvas of a long animation is not kept: it is decoded again, and the damaged frame is not in it.
    @Test func damagedFrameLeavesNothingOnTheFirstOfALongAnimation() throws {
        var frames = (0..<60).map { number in
            TestGIF.Frame(
                width: 60, height: 60, indices: Array(repeating: UInt8(number % 3), count: 3600),
                delay: 10)
        }
        // Codes behind the end code are not read, so that rows are missing.
        frames[1].indices.removeLast(1800)

        let made = try make(TestGIF(width: 60, height: 60, frames: frames).bytes).result.get()

        let still = try WebPDecoder.still(try #require(made.files.first).bytes)
        #expect(made.animated == false)
        #expect(still[256, 100] == SIMD4(255, 0, 0, 255))
        #expect(still[256, 400] == SIMD4(255, 0, 0, 255))
    }

    @Test func otherFormatsAreRefusedAsEver() throws {
        let picture = PixelBuffer.disc(PixelSize(width: 64, height: 64))
        let webp = try WebPEncoder(picture, budget: WorkBudget(DecodeLimits())).lossless(level: 0)
        #expect(reason(make(Array(webp.dropLast(40)))) == .truncated)
    }
}
