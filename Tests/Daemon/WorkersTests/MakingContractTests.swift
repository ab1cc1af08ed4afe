import StickerConfiguration
import StickerPipeline
import StickerTestSupport
import StickerValues
import StickerWorkers
import Testing

/// The contract of every maker of stickers, in this process or in workers.
struct MakingContractTests {
    enum Maker: String, CaseIterable, CustomTestStringConvertible {
        case inProcess, worker, copy

        var testDescription: String { rawValue }

        private static let copies = WorkerMaking.copying(Built.path("stickerd-worker"))

        var making: any StickerMaking {
            switch self {
            case .inProcess: StickerPipeline()
            case .worker: WorkerMaking(program: Built.path("stickerd-worker")) { .init() }
            case .copy: Self.copies
            }
        }
    }

    @Test(arguments: Maker.allCases)
    func stillBecomesAStickerWithItsCompanions(maker: Maker) throws {
        let source = try Art.still()

        let report = make(maker, source)

        let made = try report.result.get()
        #expect(made.files.map(\.role) == [.sticker, .companion, .thumbnail, .thumbnail, .tray])
        #expect(report.format == .png)
        #expect(report.log.entries.map(\.step).first == "open")
    }

    @Test(arguments: Maker.allCases)
    func animationBecomesAStickerThatMoves(maker: Maker) throws {
        let source = try Art.animation()

        let made = try make(maker, source).result.get()

        #expect(made.animated)
        #expect(made.files.first?.frames == 3)
        #expect(made.files.map(\.role).contains(.poster))
    }

    /// One thread takes no more of a processor than the time that passes; the clocks are read one after the other.
    @Test(arguments: Maker.allCases)
    func stepTakesNoMoreOfAProcessorThanTime(maker: Maker) throws {
        for source in [try Art.still(), try Art.animation()] {
            for step in make(maker, source).log.entries {
                let cpu = try #require(step.cpuMilliseconds)
                #expect(cpu <= step.milliseconds + 0.5, "\(step.step)")
            }
        }
    }

    @Test(arguments: Maker.allCases)
    func fileThatIsNoPictureIsRefused(maker: Maker) {
        let report = make(maker, SourceBytes(Array("not a picture".utf8)))

        #expect(report.refusal?.reason == .unsupportedFormat)
    }

    @Test(arguments: Maker.allCases)
    func fileOfNoBytesIsRefused(maker: Maker) {
        #expect(make(maker, SourceBytes([])).refusal?.reason == .emptyFile)
    }

    @Test(arguments: Maker.allCases)
    func limitsHold(maker: Maker) throws {
        var limits = DecodeLimits()
        limits.sidePixelsMax = 16

        let report = maker.making.make(
            try Art.still(), recipe: Recipe(settings: StickerSettings()), limits: limits)

        #expect(report.refusal?.reason == .badDimensions)
    }

    @Test func bothMakeTheSameBytes() throws {
        for source in [try Art.still(), try Art.animation()] {
            let here = try make(.inProcess, source).result.get()
            let there = try make(.worker, source).result.get()

            #expect(here.files.map(\.bytes) == there.files.map(\.bytes))
            #expect(here.files[0].encoding == there.files[0].encoding)
            #expect(here.animated == there.animated)
        }
    }

    private func make(_ maker: Maker, _ source: SourceBytes) -> MakeReport {
        maker.making.make(
            source, recipe: Recipe(settings: StickerSettings()), limits: DecodeLimits())
    }
}

extension MakeReport {
    /// The refusal of a bad file.
    var refusal: Refusal? {
        guard case .failure(.refused(let refusal)) = result else { return nil }
        return refusal
    }

    /// The refusal that a failed worker would become.
    var workerRefusal: Refusal? {
        guard case .failure(.worker(let refusal)) = result else { return nil }
        return refusal
    }
}
