import StickerCodecs
import StickerRaster
import StickerTestSupport
import StickerValues
import Testing

@testable import StickerPipeline

/// Changes to animations that play too long or begin with nothing, and their warnings.
struct TimingTests {
    private let size = PixelSize(width: 64, height: 64)

    /// Frames of a disc that wanders, shown for `milliseconds` each; the first `empty` show nothing.
    private func animation(
        frames: Int, milliseconds: Int, empty: Int = 0
    ) throws -> SourceBytes {
        SourceBytes(try gif(frames: frames, milliseconds: milliseconds, empty: empty))
    }

    private func gif(frames: Int, milliseconds: Int, empty: Int) throws -> [UInt8] {
        let encoder = try GIFEncoder(size: size, matte: SIMD3(repeating: 255))
        for number in 0..<frames {
            let frame = PixelBuffer.drawn(size) { x, y in
                let isInside = (x - number % 64) * (x - number % 64) + (y - 32) * (y - 32) < 150
                return isInside && number >= empty ? SIMD4(20, 90, 200, 255) : .zero
            }
            try encoder.add(frame: frame, durationMilliseconds: milliseconds)
        }
        return try #require(try encoder.finish())
    }

    private func report(
        _ source: SourceBytes, _ tooLong: TooLong = .faster,
        _ change: (inout StickerSettings) -> Void = { _ in }
    ) -> MakeReport {
        var settings = StickerSettings()
        settings.tooLong = tooLong
        change(&settings)
        return StickerPipeline(isStickerAlone: true).make(
            source, recipe: Recipe(settings: settings), limits: DecodeLimits())
    }

    private func milliseconds(_ report: MakeReport) throws -> Int? {
        try report.result.get().files[0].durationMilliseconds
    }

    @Test func everyStepHasItsTimeOnBothClocks() throws {
        let still = SourceBytes(
            try PNGEncoder.encode(.photo(PixelSize(width: 300, height: 200))))

        for source in [still, try animation(frames: 3, milliseconds: 100)] {
            let entries = StickerPipeline(clock: .process).make(
                source, recipe: Recipe(settings: StickerSettings()), limits: DecodeLimits()
            ).log.entries
            #expect(!entries.isEmpty)
            #expect(entries.allSatisfy { $0.milliseconds >= 0 && ($0.cpuMilliseconds ?? -1) >= 0 })
        }
    }

    @Test(arguments: [TooLong.faster, .fasterOrTrim])
    func upToHalfAsLongAgainIsPlayedFaster(rule: TooLong) throws {
        let report = try report(animation(frames: 15, milliseconds: 1000), rule)

        #expect(try milliseconds(report) == 10_000)
        #expect(try report.result.get().files[0].frames == 15)
        #expect(
            report.warnings == [Warning("played-faster", "15 s are played in 10 s")])
    }

    @Test func longerIsRefusedWithWhatWouldHelp() throws {
        let report = try report(animation(frames: 16, milliseconds: 1000))

        guard case .failure(.refused(let refusal)) = report.result else {
            Issue.record("\(report.result)")
            return
        }
        #expect(refusal.reason == .tooLong && refusal.measured == "16 s")
        #expect(refusal.limit == "10 s, or 15 s played faster (sticker.tooLong)")
        #expect(refusal.remedy.contains("trim"))
    }

    @Test func ruleThatRefusesPlaysNothingFaster() throws {
        let report = try report(animation(frames: 11, milliseconds: 1000), .refuse)

        guard case .failure(.refused(let refusal)) = report.result else {
            Issue.record("\(report.result)")
            return
        }
        #expect(refusal.reason == .tooLong)
        #expect(refusal.limit == "10 s (sticker.tooLong is refuse)")
    }

    @Test func trimKeepsTheBeginningAtItsPace() throws {
        let report = try report(animation(frames: 30, milliseconds: 1000), .trim)

        #expect(try milliseconds(report) == 10_000)
        #expect(try report.result.get().files[0].frames == 10)
        #expect(report.warnings == [Warning("trimmed", "only the first 10 s of 30 s are kept")])
    }

    @Test func whatIsMuchTooLongIsCutAndPlayedFaster() throws {
        let report = try report(animation(frames: 30, milliseconds: 1000), .fasterOrTrim)

        #expect(try milliseconds(report) == 10_000)
        #expect(try report.result.get().files[0].frames == 15)
        #expect(report.warnings.map(\.code) == ["trimmed"])
    }

    @Test func loopBeginsWithAFrameThatShowsSomething() throws {
        let report = try report(animation(frames: 6, milliseconds: 100, empty: 2))

        let file = try report.result.get().files[0]
        let showsSomething = try WebPAnimationDecoder(file.bytes).next().map { !$0.canvas.isEmpty }
        #expect(showsSomething == true)
        #expect(report.warnings.map(\.code) == ["rotated"])
        #expect(try milliseconds(report) == 600)
    }

    @Test func whatPlaysOnceDoesNotEndWithAnEmptyFrame() throws {
        var bytes = try gif(frames: 6, milliseconds: 100, empty: 2)
        // Without this extension a GIF is played once: 19 bytes with the number of repetitions.
        let name = Array("NETSCAPE2.0".utf8)
        let start = try #require(
            bytes.indices.first { bytes[$0...].starts(with: [0x21, 0xFF, 0x0B] + name) })
        bytes.removeSubrange(start..<start + 19)

        let report = report(SourceBytes(bytes))

        let file = try report.result.get().files[0]
        #expect(report.warnings.map(\.code) == ["started-later"])
        #expect(file.frames == 4 && file.durationMilliseconds == 400)
        let decoder = try WebPAnimationDecoder(file.bytes)
        while let isEmpty = try decoder.next().map({ $0.canvas.isEmpty }) { #expect(!isEmpty) }
    }

    @Test func framesAreDroppedBeforeTheStickerIsRefused() throws {
        let encoder = try GIFEncoder(size: .sticker, matte: SIMD3(repeating: 255))
        for number in 0..<8 {
            try encoder.add(
                frame: .photo(.sticker, seed: UInt64(number + 1)), durationMilliseconds: 50)
        }
        let photos = SourceBytes(try #require(try encoder.finish()))

        let report = report(photos) {
            $0.qualityMin = 90
            $0.animatedBytesMax = 200_000
        }

        let file = try report.result.get().files[0]
        #expect(file.frames ?? 8 < 8 && file.durationMilliseconds == 400)
        #expect(report.warnings.map(\.code) == ["frames-dropped"])
    }

    @Test func everyStageIsLoggedByNameWhereItDoesSomething() throws {
        let still = SourceBytes(
            try PNGEncoder.encode(.photo(PixelSize(width: 300, height: 200))))
        let square = SourceBytes(try PNGEncoder.encode(.photo(.sticker)))

        let steps = [
            report(still), report(square),
            try report(animation(frames: 3, milliseconds: 100)),
        ].map { $0.log.entries.map(\.step) }

        #expect(steps[0] == ["open", "decode", "scale", "place", "fit", "verify"])
        #expect(steps[1] == ["open", "decode", "scale", "fit", "verify"])
        #expect(steps[2] == ["open", "decode", "scale", "fit", "verify"])
    }
}
