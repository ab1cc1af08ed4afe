import StickerCodecs
import StickerRaster
import StickerTestSupport
import StickerValues
import Testing

@testable import StickerPipeline

struct StillFitTests {
    @Test(arguments: [50_000, 65_000, 80_000], [UInt64(1), 2, 3, 4])
    func photoThatIsTooLargeTakesAnEncodeOrTwo(target: Int, seed: UInt64) throws {
        var fit = StillFit(target: target, qualityMin: 20)

        let found = try #require(try fit.search(.photo(.sticker, seed: seed)))

        #expect(found.quality < 100 && found.bytes <= target)
        #expect(found.bytes > target * 9 / 10, "\(found.bytes) of \(target)")
        #expect(fit.attempts.count <= 3, "\(fit.attempts.map { ($0.mode, $0.quality, $0.bytes) })")
    }

    @Test func photoThatFitsTakesOneLossyEncode() throws {
        var fit = StillFit(target: 110_000, qualityMin: 20)

        let found = try #require(try fit.search(.photo(.sticker)))

        #expect(found.mode == .lossy && found.quality == 100)
        #expect(fit.attempts.filter { $0.mode == .lossy }.count == 1)
    }

    /// Rounding would only add colours to a palette.
    @Test func noiseOfFewColoursIsNotRounded() throws {
        var random = SeededGenerator(seed: 3)
        let levels = (0..<(512 * 512)).map { _ in UInt8.random(in: 0..<32, using: &random) }
        let noise = PixelBuffer.drawn(.sticker) { x, y in
            let level = levels[y * 512 + x]
            return SIMD4(level &* 8, 255 &- level &* 5, level, 255)
        }
        var fit = StillFit(target: 155_000, qualityMin: 20)

        _ = try fit.search(noise)

        #expect(!fit.attempts.isEmpty)
        #expect(!fit.attempts.contains { $0.mode == .nearLossless })
    }

    /// Files of every form, with their scores.
    private func files(of canvas: borrowing PixelBuffer, _ reference: PerceptualReference) throws
        -> [(bytes: Int, score: Double)]
    {
        let encoder = WebPEncoder(canvas)
        var files = try [1, 3].map { try encoder.lossless(level: $0) }
        files += try LosslessForm.allCases.map {
            try encoder.nearLossless(level: 3, steps: $0.steps)
        }
        files.append(try encoder.lossy(quality: 100))
        return try files.map { file in
            (file.count, reference.score(of: try WebPDecoder.still(file)))
        }
    }

    /// Between the limits at which everything fits and at which nothing does, there is no gap.
    @Test func nothingThatWasNotTriedIsMuchBetter() throws {
        let canvas = PixelBuffer.photo(.sticker, seed: 5)
        let reference = PerceptualReference(canvas)
        let files = try files(of: canvas, reference)
        for target in [90_000, 110_000, 130_000, 150_000, 170_000, 200_000, 240_000, 280_000] {
            var fit = StillFit(target: target, qualityMin: 20)

            let found = try #require(try fit.search(canvas))

            let score = reference.score(of: try WebPDecoder.still(found.file))
            let best = files.filter { $0.bytes <= target }.map(\.score).max() ?? 0
            #expect(score > best - 1.5, "\(target) B: \(found.record)")
        }
    }

    /// Also of those whose score decided, the log names the one that was chosen.
    @Test(arguments: [50_000, 130_000, 170_000, 200_000, 400_000])
    func recordMarksTheChosenAttempt(target: Int) throws {
        let photo = PixelBuffer.photo(.sticker, seed: 5)
        let cutOut = PixelBuffer.drawn(.sticker) { x, y in
            var pixel = photo[x, y]
            pixel.w = UInt8(min(255, x))
            return pixel
        }
        var fit = StillFit(target: target, qualityMin: 20)
        let found = try fit.search(cutOut)

        let whatsApp = try #require(Target.builtIn[Target.whatsApp])
        let record = FitRecord(fit.attempts, chosen: found, for: whatsApp, bytesMax: target)

        #expect(record.attempts.filter(\.isChosen).map(\.bytes) == [found?.bytes])
    }

    @Test func repeatedPartsAreFoundOut() throws {
        let part = PixelBuffer.photo(PixelSize(width: 64, height: 64))
        let canvas = PixelBuffer.drawn(.sticker) { x, y in part[x & 63, y & 63] }
        let target = LosslessEstimate(canvas).bytes / 3
        var fit = StillFit(target: target, qualityMin: 20)

        #expect(try fit.search(canvas)?.mode == .lossless)
    }

    @Test func cutOutIsJoinedWithItsAlphaPlane() throws {
        let photo = PixelBuffer.photo(.sticker)
        let cutOut = PixelBuffer.drawn(.sticker) { x, y in
            var pixel = photo[x, y]
            let (dx, dy) = (x - 256, y - 256)
            pixel.w = dx * dx + dy * dy < 250 * 250 ? 255 : 0
            return pixel
        }
        var fit = StillFit(target: 50_000, qualityMin: 20)

        let found = try #require(try fit.search(cutOut))

        #expect(found.bytes > 45_000 && found.bytes <= 50_000)
        #expect(found.alphaQuality == 100)
        #expect(
            fit.attempts.count <= 5, "\(fit.attempts.map { ($0.mode, $0.quality, $0.bytes) })")
    }

    private func score(_ found: FitAttempt, of canvas: borrowing PixelBuffer) throws -> Double {
        PerceptualReference(canvas).score(of: try WebPDecoder.still(found.file))
    }

    /// From limits that only lossy files meet to limits that lossless ones do.
    @Test(arguments: [60_000, 110_000, 140_000, 170_000, 200_000, 260_000])
    func balancedWorksLessAndLosesLittle(target: Int) throws {
        let canvas = PixelBuffer.photo(.sticker)
        var (best, balanced) = (
            StillFit(target: target, qualityMin: 20),
            StillFit(target: target, qualityMin: 20, worth: .balanced)
        )

        let found = try #require(try best.search(canvas))
        let near = try #require(try balanced.search(canvas))

        #expect(balanced.attempts.count <= best.attempts.count)
        #expect(found.mode != .lossless || near.mode == .lossless)
        let (most, score) = (try self.score(found, of: canvas), try self.score(near, of: canvas))
        #expect(score >= min(most, 89.5), "\(score) for \(most)")
    }

    // MARK: A palette

    /// Small balls of a few bright colours, each shaded, on black.
    private func balls() -> PixelBuffer {
        let noise = PixelBuffer.noise(.sticker)
        return .drawn(.sticker) { x, y in
            let (column, row) = (x / 11, y / 11)
            let ball = noise[column, row]
            let (dx, dy) = (x % 11 - 5 - Int(ball.x % 3), y % 11 - 5)
            let light = 255 - 3 * (dx * dx + dy * dy)
            guard light > 150 else { return SIMD4(0, 0, 0, 255) }
            let color =
                SIMD3<Int>(
                    Int(ball.x) & 128, Int(ball.y) & 128, Int(ball.z) & 128) &+ 127
            let shade = color &* (light * (800 + (x + 2 * y) / 8)) / 255_000
            return SIMD4(UInt8(shade.x), UInt8(shade.y), UInt8(shade.z), 255)
        }
    }

    /// Lossy files blur what a palette keeps.
    @Test func fewBrightColorsBecomeAPalette() throws {
        let balls = balls()
        var fit = StillFit(target: 80_000, qualityMin: 20)

        let found = try #require(try fit.search(balls))

        #expect(
            found.mode == .palette && found.bytes <= 80_000, "\(fit.attempts.map(\.record))")
        let foundScore = try score(found, of: balls)
        #expect(try abs(foundScore - #require(found.score)) < 0.01)
        let whatsApp = try #require(Target.builtIn[Target.whatsApp])
        let record = FitRecord(fit.attempts, chosen: found, for: whatsApp, bytesMax: 80_000)
        #expect(record.attempts.filter(\.isChosen).map(\.mode) == [.palette])
        let others = fit.attempts.filter { $0.mode != .palette && $0.bytes <= 80_000 }
        #expect(!others.isEmpty)
        for other in others { #expect(try score(other, of: balls) < foundScore - 5) }
    }

    @Test func paletteFitsWhereNoAllowedQualityDoes() throws {
        var fit = StillFit(target: 80_000, qualityMin: 90)

        let found = try #require(try fit.search(balls()))

        #expect(try found.mode == .palette && score(found, of: balls()) > 70)
        #expect(!fit.attempts.contains { $0.mode == .lossy && $0.bytes <= 80_000 })
    }

    /// A palette of colours and alpha that change everywhere fits, and looks bad: no way out.
    @Test func paletteThatLooksBadIsNone() throws {
        let photo = PixelBuffer.photo(.sticker, seed: 5)
        let mist = PixelBuffer.drawn(.sticker) { x, y in
            SIMD4(photo[x, y].x, photo[y, x].y, UInt8((x + y) / 4), UInt8(max(1, x / 2)))
        }
        let palette = mist.reduced(toColors: 256)
        let bytes = try WebPEncoder(palette).lossless(level: 3).count
        #expect(bytes < 100_000 && PerceptualReference(mist).score(of: palette) < 70)
        var fit = StillFit(target: 100_000, qualityMin: 100)

        #expect(try fit.search(mist) == nil)
    }

    /// A palette may reach a score that no lossy file reaches: then there is no warning.
    @Test func paletteMeetsAScoreTarget() throws {
        var target = try #require(Target.builtIn[Target.whatsApp])
        (target.goal, target.scoreTarget) = (.smallest, 90)
        var rules = try #require(target.still)
        rules.bytesMax = 81_000
        var search = StillSearch(
            canvas: Canvas(balls()), target: target, rules: rules,
            budget: WorkBudget(DecodeLimits()))

        let found = try #require(try search.run())

        #expect(found.mode == .palette && found.score ?? 0 >= 90)
        #expect(!search.missedScore)
    }

    /// A palette takes time, so none is made that cannot fit.
    @Test func photosAreNotReducedToAPalette() throws {
        var fit = StillFit(target: 65_000, qualityMin: 20)

        _ = try fit.search(.photo(.sticker))

        #expect(!fit.attempts.contains { $0.mode == .palette })
    }

    // MARK: The alpha plane

    /// Sparks: an exact plane takes the colours' bytes, a coarse one shows steps; one between looks best.
    @Test func alphaPlaneIsAsFineAsLooksBest() throws {
        let grain = PixelBuffer.noise(.sticker, opaque: false)
        let sparks = PixelBuffer.drawn(.sticker) { x, y in
            var pixel = grain[x / 2, y / 2]
            pixel.w = UInt8(Int(pixel.w) * abs(x - 256) / 256)
            return pixel.w == 0 ? .zero : pixel
        }
        let target = 100_000
        var fit = StillFit(target: target, qualityMin: 1)

        let found = try #require(try fit.search(sparks))

        #expect((70..<100).contains(found.alphaQuality), "\(found.record)")
        let best = try score(found, of: sparks)
        for other in fit.attempts where other.bytes <= target {
            #expect(try score(other, of: sparks) <= best)
        }
    }

    /// Two values of alpha survive in any plane, so there is nothing to try.
    @Test func cutOutHasOneAlphaPlane() throws {
        let noise = PixelBuffer.noise(.sticker)
        let cutOut = PixelBuffer.drawn(.sticker) { x, y in y > 60 ? noise[x, y] : .zero }
        var fit = StillFit(target: 100_000, qualityMin: 60)

        #expect(try fit.search(cutOut) == nil)
        #expect(Set(fit.attempts.map(\.alphaQuality)) == [100])
    }

    /// However bad it looks, a file that fits is one.
    @Test func worstFileThatFitsIsFound() throws {
        var fit = StillFit(target: 100_000, qualityMin: 1)

        let found = try fit.search(.noise(.sticker, opaque: false))

        #expect(found?.bytes ?? .max <= 100_000, "\(fit.attempts.map(\.record))")
    }

    @Test func noiseThatCannotFitIsGivenUp() throws {
        var fit = StillFit(target: 20_000, qualityMin: 60)

        let found = try fit.search(.noise(.sticker))

        #expect(found == nil && !fit.attempts.isEmpty)
        var other = StillFit(target: 20_000, qualityMin: 60)
        #expect(try other.search(.noise(.sticker, opaque: false)) == nil)
        #expect(other.attempts.allSatisfy { $0.isGuess && $0.bytes > 20_000 })
        #expect(!other.attempts.isEmpty)
    }
}
