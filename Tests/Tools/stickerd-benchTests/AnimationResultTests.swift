import StickerCodecs
import StickerRaster
import StickerTestSupport
import StickerValues
import Testing

@testable import stickerd_bench

struct AnimationResultTests {
    @Test func samplesAreTakenAtTenPointsOfThePlayingTime() throws {
        // Shown at 0-300 and 300-1000: points 50, 150 and 250 see the first frame.
        let file = try Self.animation([300, 700])

        let playback = try Playback(file)

        #expect(playback.frameCount == 2 && playback.milliseconds == 1000)
        #expect(playback.shortestMilliseconds == 300 && playback.samples.count == 10)
        let first = playback.samples[0]
        #expect(playback.samples.count { $0 === first } == 3)
    }

    @Test func speedMakesNoDifferenceToTheScore() throws {
        let canvases = try Playback(Self.animation([300, 700]))

        #expect(try canvases.score(of: Playback(Self.animation([30, 70]))) == 100)
        #expect(try canvases.score(of: Playback(Self.animation([900, 100]))) ?? 100 < 90)
        let short = PixelSize(width: 512, height: 100)
        #expect(try canvases.score(of: Playback(Self.animation([300, 700], short))) == nil)
    }

    @Test func whatAMessengerWouldRefuseIsAFault() throws {
        func faults(_ file: [UInt8]?, _ canvases: Playback) -> [String] {
            AnimationResult(Rival.Run(milliseconds: 5, file: file), canvases: canvases).faults
        }
        let canvases = try Playback(Self.animation([300, 700]))
        let still = try WebPEncoder(.gradient(.sticker)).lossless(level: 0)

        #expect(faults(try Self.animation([300, 700]), canvases).isEmpty)
        #expect(faults(nil, canvases) == ["no file"])
        #expect(faults([1, 2, 3], canvases) == ["no file"])
        #expect(faults(still, canvases) == ["not animated"])
        #expect(faults(try Self.animation([300, 9701]), canvases) == ["longer than 10 s"])
        #expect(faults(try Self.animation([7, 700]), canvases) == ["frames under 8 ms"])
        let short = PixelSize(width: 512, height: 100)
        #expect(faults(try Self.animation([300, 700], short), canvases) == ["not 512x512"])
    }

    @Test func rowCountsWhatIsTakenAndComparesTimes() throws {
        let canvases = try Playback(Self.animation([300, 700]))
        func result(_ milliseconds: Double, _ durations: [Int]) throws -> AnimationResult {
            let file = try Self.animation(durations)
            return AnimationResult(
                Rival.Run(milliseconds: milliseconds, file: file), canvases: canvases)
        }
        let missing = AnimationResult(Rival.Run(milliseconds: nil, file: nil), canvases: canvases)
        let entries = [
            try AnimationBench.Entry(
                own: result(100, [300, 700]), rival: result(400, [300, 700])),
            try AnimationBench.Entry(
                own: result(300, [300, 700]), rival: result(400, [3000, 7001])),
            try AnimationBench.Entry(own: result(900, [300, 700]), rival: missing),
        ]

        let row = AnimationContender.rival("rival", entries)

        #expect(row.within == 1 && row.all == 3)
        #expect(row.faults == "longer than 10 s: 1, no file: 1")
        #expect(row.seconds.mean == 0.4 && row.millisecondsPerFrame == 200)
        #expect(row.ratioMedian == 0.5 && row.ratioOfMeans == 0.5)
    }

    /// Two different pictures.
    private static func animation(
        _ milliseconds: [Int], _ size: PixelSize = .sticker
    ) throws -> [UInt8] {
        let encoder = try WebPAnimationEncoder(
            size: size, loopCount: 0, level: 0)
        try encoder.add(.gradient(size), milliseconds: milliseconds[0])
        try encoder.add(.checkerboard(size), milliseconds: milliseconds[1])
        return try encoder.finish()
    }
}

extension AnimationBench.Entry {
    /// An animation of two frames.
    fileprivate init(own: AnimationResult, rival: AnimationResult) {
        self.init(path: "a.gif", frames: 2, encoding: nil, own: own, rivals: ["rival": rival])
    }
}
