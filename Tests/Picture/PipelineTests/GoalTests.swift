import StickerCodecs
import StickerRaster
import StickerTestSupport
import StickerValues
import Testing

@testable import StickerPipeline

/// The goals that a category may set: the best picture, the fewest bytes, a least score.
struct GoalTests {
    private func settings(_ change: (inout StickerSettings) -> Void) -> StickerSettings {
        var settings = StickerSettings()
        settings.companions = false
        change(&settings)
        return settings
    }

    private func make(_ source: SourceBytes, _ settings: StickerSettings) -> MakeReport {
        StickerPipeline().make(
            source, recipe: Recipe(settings: settings), limits: DecodeLimits())
    }

    private func photo() throws -> SourceBytes {
        SourceBytes(try PNGEncoder.encode(.photo(.sticker)))
    }

    private func animation(frames: Int) throws -> SourceBytes {
        let encoder = try GIFEncoder(size: .sticker, matte: SIMD3(0, 0, 0))
        for number in 0..<frames {
            try encoder.add(
                frame: .photo(.sticker, seed: UInt64(number + 1)), durationMilliseconds: 100)
        }
        return SourceBytes(try #require(try encoder.finish()))
    }

    @Test(arguments: [60.0, 75, 85])
    func smallestKeepsToItsScoreAndNoMore(target: Double) throws {
        let best = try make(photo(), settings { _ in }).result.get()

        let smallest = try make(
            photo(),
            settings {
                $0.goal = .smallest
                $0.scoreTarget = target
            }
        ).result.get()

        let score = try #require(smallest.files[0].encoding?.score)
        #expect(score >= target && score < target + 2)
        #expect(smallest.files[0].bytes.count < best.files[0].bytes.count)
    }

    /// From a limit that only lossy files meet to one that a lossless file does.
    @Test func balancedTakesFewerEncodesAndIsHardlyWorse() throws {
        var encodes = (best: 0, balanced: 0)
        let photo = try photo()
        for bytesMax in stride(from: 80_000, through: 260_000, by: 20_000) {
            let reports = [EncodingGoal.best, .balanced].map { goal in
                make(
                    photo,
                    settings {
                        $0.goal = goal
                        $0.stillBytesMax = bytesMax
                    })
            }
            let (best, balanced) = (reports[0], reports[1])
            encodes.best += best.encodes
            encodes.balanced += balanced.encodes
            let most = try #require(try best.result.get().files[0].encoding?.score)
            let score = try #require(try balanced.result.get().files[0].encoding?.score)
            #expect(score > most - 3.5 && (most < 100 || score == 100), "\(score) for \(most)")
        }
        #expect(encodes.balanced < encodes.best, "\(encodes)")
    }

    @Test func drawingIsSmallestWithoutLoss() throws {
        let drawing = SourceBytes(try PNGEncoder.encode(.checkerboard(.sticker, cell: 16)))

        let smallest = try make(drawing, settings { $0.goal = .smallest }).result.get()

        #expect(smallest.files[0].encoding == Encoding(mode: .lossless, score: 100))
    }

    @Test func scoreOutOfReachGivesTheBestThatFitsAndAWarning() throws {
        let report = make(
            try photo(),
            settings {
                $0.goal = .smallest
                $0.scoreTarget = 99
                $0.stillBytesMax = 20_000
            })

        let made = try report.result.get()
        #expect(made.files[0].bytes.count <= 19_800)
        #expect(report.warnings.map(\.code) == ["below-target"])
    }

    @Test func smallestAnimationKeepsToItsScore() throws {
        let source = try animation(frames: 4)
        let best = try make(source, settings { _ in }).result.get()

        let smallest = try make(
            source,
            settings {
                $0.goal = .smallest
                $0.scoreTarget = 70
            }
        ).result.get()

        let score = try #require(smallest.files[0].encoding?.score)
        #expect(score >= 70 && score < 75)
        #expect(smallest.files[0].bytes.count < best.files[0].bytes.count)
        #expect(smallest.files[0].frames == best.files[0].frames)
    }

    @Test func belowTheFloorNothingIsPublishedAndTheBestAttemptsAreListed() throws {
        let report = make(
            try photo(),
            settings {
                $0.stillBytesMax = 15_000
                $0.scoreMin = 95
            })

        guard case .failure(.refused(let refusal)) = report.result else {
            Issue.record("it is published")
            return
        }
        #expect(refusal.reason == .willNotFit)
        #expect(refusal.limit == "score 95 (sticker.scoreMin)")
        #expect(refusal.measured?.hasPrefix("score ") == true)
        #expect(refusal.detail.split(separator: " score ").count >= 3, "\(refusal.detail)")
        #expect(refusal.remedy.contains("sticker.stillBytesMax"))
    }

    @Test func whatCannotFitIsListedWithScores() throws {
        let noise = SourceBytes(try PNGEncoder.encode(.noise(.sticker)))

        let report = make(noise, settings { $0.stillBytesMax = 10_000 })

        guard case .failure(.refused(let refusal)) = report.result else {
            Issue.record("it is published")
            return
        }
        #expect(refusal.reason == .willNotFit && refusal.measured?.hasSuffix(" B") == true)
        #expect(refusal.detail.contains("lossy q=20"), "\(refusal.detail)")
    }

    @Test func animationThatTakesTooMuchComputingIsRefused() throws {
        var limits = DecodeLimits()
        limits.cpuSecondsMax = 0

        let report = StickerPipeline().make(
            try animation(frames: 3), recipe: Recipe(settings: StickerSettings()), limits: limits)

        guard case .failure(.refused(let refusal)) = report.result else {
            Issue.record("it is published")
            return
        }
        #expect(refusal.reason == .tooComplex)
        #expect(refusal.limit == "0 s (limits.cpuSecondsMax)")
    }
}

extension MakeReport {
    /// How many files were encoded for the sticker.
    fileprivate var encodes: Int {
        log.entries.compactMap(\.fit).reduce(0) { $0 + $1.attempts.count }
    }
}
