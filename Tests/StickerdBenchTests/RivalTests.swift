import Foundation
import StickerCodecs
import StickerModel
import StickerRaster
import StickerTestSupport
import Testing

@testable import stickerd_bench

struct RivalTests {
    @Test func argumentIsANameAndACommand() throws {
        #expect(Rival(argument: "no command") == nil)
        #expect(try #require(Rival(argument: "a b=c --d=e")).name == "a b")
    }

    @Test func fileAndTimeOfACommandAreTaken() throws {
        let folder = try TemporaryFolder()
        let picture = folder.path("it's.webp")
        try Data(WebPEncoder(.gradient(.sticker)).lossless(level: 0)).write(
            to: URL(filePath: picture))
        let script = folder.path("copy.sh")
        try Data("cp \"$1\" \"$2\"; echo noise; echo 0.25\n".utf8).write(
            to: URL(filePath: script))

        let run = try #require(Rival(argument: "copy=sh \(script)")).run(picture)

        #expect(run.withoutStart == 250)
        #expect(run.file == Array(try Data(contentsOf: URL(filePath: picture))))
    }

    @Test func stickerCountsWhereItHasTheSizeAndTheBytes() throws {
        let canvas = PixelBuffer.photo(.sticker)
        let judge = PerceptualReference(canvas)
        func result(_ file: [UInt8]?) -> RivalResult {
            var result = RivalResult()
            result.add(Rival.Run(milliseconds: 5, withoutStart: nil, file: file), judge: judge)
            return result
        }

        let encoder = WebPEncoder(canvas)
        let good = result(try encoder.lossy(quality: 50))
        let large = result(try encoder.lossless(level: 0))
        let short = result(
            try WebPEncoder(.gradient(PixelSize(width: 512, height: 100))).lossless(level: 0))

        #expect(good.isWithin(bytesMax: 100_000) && good.score ?? 0 > 30)
        #expect(!large.isWithin(bytesMax: 100_000) && large.score == 100)
        #expect(!short.isWithin(bytesMax: 100_000) && short.score == nil)
        #expect(!result(nil).isWithin(bytesMax: 100_000))
    }
}
