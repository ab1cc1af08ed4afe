import Foundation
import StickerCodecs
import StickerRaster
import StickerTestSupport
import StickerValues
import Testing

@testable import stickerd_bench

struct RivalTests {
    @Test func argumentIsANameAndACommand() throws {
        #expect(Rival(argument: "no command", mode: .started) == nil)
        #expect(try #require(Rival(argument: "a b=c --d=e", mode: .warm)).name == "a b")
    }

    @Test func fileAndTimeOfACommandAreTaken() throws {
        let folder = try TemporaryFolder()
        let picture = try Self.picture(in: folder)
        let script = try Self.script("echo noise; cp \"$1\" \"$2\"", in: folder)

        let run = Contender(try Self.rival("sh \(script)", .started)).run(picture)

        #expect(run.milliseconds ?? 0 > 0)
        #expect(run.file == Array(try Data(contentsOf: URL(filePath: picture))))
    }

    @Test func whatMadeNothingHasNoTime() throws {
        let run = Contender(try Self.rival("true", .started)).run("/nowhere")

        #expect(run.milliseconds == nil && run.file == nil)
    }

    @Test func warmProcessAnswersEveryPictureWithItsTime() throws {
        let folder = try TemporaryFolder()
        let picture = try Self.picture(in: folder)
        let script = try Self.script(
            Self.loop("cp \"$in\" \"$out\"; echo noise; echo $count"), in: folder)
        let contender = Contender(try Self.rival("sh \(script)", .warm))

        let runs = (0..<3).map { _ in contender.run(picture) }

        #expect(runs.map(\.milliseconds) == [1000, 2000, 3000])
        #expect(runs.allSatisfy { $0.file?.isEmpty == false })
    }

    @Test func warmProcessThatDiesIsStartedAgain() throws {
        let folder = try TemporaryFolder()
        let picture = try Self.picture(in: folder)
        let script = try Self.script(
            Self.loop("test $count -lt 2 || exit 1; cp \"$in\" \"$out\"; echo $count"), in: folder)
        let contender = Contender(try Self.rival("sh \(script)", .warm))

        let runs = (0..<3).map { _ in contender.run(picture) }

        #expect(runs.map(\.milliseconds) == [1000, nil, 1000])
    }

    @Test(arguments: [Rival.Mode.started, .warm])
    func rivalThatHangsIsStopped(mode: Rival.Mode) throws {
        let contender = Contender(try Self.rival("sleep 600; true", mode), millisecondsMax: 50)

        let run = contender.run("/nowhere")

        #expect(run.milliseconds == nil && run.file == nil)
    }

    @Test func stickerCountsWhereItHasTheSizeAndTheBytes() throws {
        let canvas = PixelBuffer.photo(.sticker)
        let judge = PerceptualReference(canvas)
        func result(_ file: [UInt8]?) -> StillResult {
            var result = StillResult()
            result.add(Rival.Run(milliseconds: 5, file: file), judge: judge)
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

    private static func rival(_ command: String, _ mode: Rival.Mode) throws -> Rival {
        try #require(Rival(argument: "rival=\(command)", mode: mode))
    }

    /// A path with a quote in it.
    private static func picture(in folder: TemporaryFolder) throws -> String {
        let picture = folder.path("it's.webp")
        try Data(WebPEncoder(.gradient(.sticker)).lossless(level: 0)).write(
            to: URL(filePath: picture))
        return picture
    }

    private static func script(_ text: String, in folder: TemporaryFolder) throws -> String {
        let script = folder.path("rival.sh")
        try Data("\(text)\n".utf8).write(to: URL(filePath: script))
        return script
    }

    /// A shell script that does `body` for each line of two paths, and counts the lines.
    private static func loop(_ body: String) -> String {
        """
        tab=$(printf '\\t')
        while IFS=$tab read -r in out; do
            count=$((count + 1))
            \(body)
        done
        """
    }
}
