import Foundation
import StickerConfiguration
import StickerTestSupport
import StickerValues
import Testing

@testable import StickerWorkers

/// Formats whose libraries are linked into worker programs of their own.
struct FurtherFormatsTests {
    private func make(_ file: [UInt8], program: String = "stickerd-worker") -> MakeReport {
        WorkerMaking(program: program.hasPrefix("/") ? program : Built.path(program)) { .init() }
            .make(
                SourceBytes(file), recipe: Recipe(settings: StickerSettings()),
                limits: DecodeLimits())
    }

    @Test(arguments: [
        (TestFormats.avif, ImageFormat.avif), (TestFormats.heic, .heic), (TestFormats.tiff, .tiff),
    ])
    func theirWorkersAreLockedInAndMakeStickers(file: [UInt8], format: ImageFormat) throws {
        let report = make(file)

        let made = try report.result.get()
        #expect(!made.animated && made.files.first?.format == .webp)
        #expect(report.format == format)
    }

    @Test func sequenceOfAVIFBecomesAStickerThatMoves() throws {
        let made = try make(TestFormats.movingAVIF).result.get()

        #expect(made.animated && made.files.first?.frames == 2)
        #expect(made.files.first?.durationMilliseconds == 600)
    }

    @Test(arguments: [TestFormats.avif, TestFormats.heic, TestFormats.tiff])
    func damageInTheirWorkersIsARefusalInWords(file: [UInt8]) {
        for cut in [file.count - 1, file.count / 2, 40] {
            let refusal = make(Array(file[..<cut])).refusal
            #expect(
                [.truncated, .corrupt].contains(refusal?.reason), "\(String(describing: refusal))")
        }
    }

    @Test func missingProgramIsARefusalThatNamesIt() throws {
        let folder = try TemporaryFolder()
        let program = folder.path("stickerd-worker")
        try FileManager.default.createSymbolicLink(
            atPath: program, withDestinationPath: Built.path("stickerd-worker"))

        let refusal = make(TestFormats.heic, program: program).refusal

        #expect(refusal?.reason == .unsupportedFormat)
        #expect(refusal?.detail == "HEIC is read by stickerd-worker-heic, which is not installed")
        #expect(WorkerProgram.missingFormats(beside: program) == [.tiff, .avif, .heic, .svg])
        #expect(WorkerProgram.missingFormats(beside: Built.path("stickerd-worker")) == [])
    }
}
