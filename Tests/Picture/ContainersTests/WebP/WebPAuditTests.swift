import StickerCodecs
import StickerContainers
import StickerRaster
import StickerTestSupport
import StickerValues
import Testing

struct WebPAuditTests {
    private let canvas = PixelSize(width: 31, height: 21)

    private func faults(_ file: [UInt8], frames: Int? = nil, _ milliseconds: Int? = nil)
        -> [String]
    {
        WebPAudit.faults(
            in: file, canvas: canvas, frames: frames, durationMilliseconds: milliseconds)
    }

    private func still(lossy: Bool, alpha: UInt8) throws -> [UInt8] {
        let encoder = WebPEncoder(.gradient(canvas.width, canvas.height, alpha: alpha))
        return lossy ? try encoder.lossy(quality: 60) : try encoder.lossless(level: 0)
    }

    /// Two lossless frames with alpha, the second one smaller; 200 ms.
    private func frames() throws -> [TestWebP.Frame] {
        var second = try TestWebP.frame(10, 9)
        (second.x, second.y, second.methods) = (20, 12, 3)
        return [try TestWebP.frame(31, 21), second]
    }

    private func animation(flags: UInt8 = 0x12, _ frames: [TestWebP.Frame]) -> [UInt8] {
        TestWebP.animation(flags: flags, canvas: canvas, frames)
    }

    @Test(arguments: [true, false], [128, 255] as [UInt8])
    func stillsOfOursPass(lossy: Bool, alpha: UInt8) throws {
        #expect(faults(try still(lossy: lossy, alpha: alpha)) == [])
    }

    @Test func animationsPass() throws {
        #expect(faults(animation(try frames()), frames: 2, 200) == [])
        let lossy = try TestWebP.frame(31, 21, lossy: true)
        #expect(faults(animation([lossy, lossy, lossy]), frames: 3, 300) == [])
        let opaque = try TestWebP.frame(31, 21, lossy: true, alpha: 255)
        #expect(faults(animation(flags: 0x02, [opaque]), frames: 1, 100) == [])
    }

    @Test func bytesBehindTheFileAreFound() throws {
        let file = try still(lossy: false, alpha: 128)

        #expect(faults(file + [0, 0]).count == 2)
        #expect(faults(Array(file.dropLast(2))).count >= 2)
        let stuffed = TestWebP.file([TestWebP.picture(of: file), [0, 0, 0, 0]])
        #expect(faults(stuffed) == ["4 bytes stand behind the last chunk"])
    }

    @Test func paddingIsZero() throws {
        // Given an odd chunk, so that the last byte is padding
        var file = TestWebP.file([TestWebP.chunk("EXIF", [1, 2, 3])])

        file[file.count - 1] = 7

        #expect(faults(file).contains(#"the "EXIF" chunk is not padded with 0"#))
    }

    @Test(arguments: ["EXIF", "XMP ", "ICCP", "JUNK"]) func otherChunksAreFound(tag: String) throws
    {
        let file = try still(lossy: true, alpha: 128)
        let extra = TestWebP.chunk(tag, [1, 2])
        let picture = TestWebP.picture(of: file)

        let behind = TestWebP.file([TestWebP.header(flags: 0x10, canvas), picture, extra])
        let moving = animation(try frames()) + extra

        #expect(faults(behind) == [#"the picture consists of "ALPH", "VP8 ", "\#(tag)""#])
        #expect(
            faults(moving, frames: 2).contains(
                #"a "\#(tag)" chunk stands where only frames belong"#))
    }

    @Test func flagsTellTheTruth() throws {
        let opaque = try TestWebP.frame(31, 21, alpha: 255)

        #expect(faults(animation(flags: 0x02, try frames()), frames: 2).count == 1)
        #expect(faults(animation(flags: 0x10, try frames()), frames: 2).count == 1)
        #expect(faults(animation(flags: 0x12, [opaque]), frames: 1).count == 1)
        #expect(faults(animation(flags: 0x1A, try frames()), frames: 2).count == 1)
        #expect(faults(animation(flags: 0x13, try frames()), frames: 2).count == 1)
    }

    @Test func stillHeaderIsNeededExactlyForALossyPictureWithAlpha() throws {
        let bare = try TestWebP.picture(of: still(lossy: true, alpha: 128))
        let opaque = try TestWebP.picture(of: still(lossy: true, alpha: 255))

        #expect(faults(TestWebP.file([bare])) == ["an ALPH chunk stands without VP8X"])
        #expect(
            faults(TestWebP.file([TestWebP.header(flags: 0, canvas), opaque]))
                == ["an opaque lossy still has a VP8X chunk"])
    }

    @Test func framesStayOnTheCanvas() throws {
        var frames = try frames()
        frames[1].x = 22

        #expect(
            faults(animation(frames), frames: 2) == ["frame 1, 10x9 at 22,12, leaves the canvas"])
    }

    @Test func sizesAgree() throws {
        let other = try TestWebP.file([
            TestWebP.header(flags: 0x10, PixelSize(width: 30, height: 21)),
            TestWebP.picture(of: still(lossy: true, alpha: 128)),
        ])
        var frames = try frames()
        frames[1].size.width = 9

        #expect(faults(other) == ["the canvas is 30x21 instead of 31x21"])
        #expect(faults(animation(frames), frames: 2) == ["frame 1 is 10x9 instead of 9x9"])
    }

    @Test func shortFramesAreFound() throws {
        var frames = try frames()
        frames[0].milliseconds = 8
        #expect(faults(animation(frames), frames: 2, 108) == [])

        frames[0].milliseconds = 7

        #expect(faults(animation(frames), frames: 2, 107) == ["frame 0 lasts 7 ms"])
    }

    @Test func countAndTimeAreExact() throws {
        let file = animation(try frames())

        #expect(faults(file, frames: 3, 200) == ["2 frames instead of 3"])
        #expect(faults(file, frames: 2, 199) == ["the frames last 200 ms instead of 199"])
        #expect(faults(file).count == 1, "an animation is no still")
        #expect(faults(try still(lossy: false, alpha: 128), frames: 1).count == 2)
    }

    @Test func lossyAndLosslessFramesDoNotMix() throws {
        let mixed = try frames() + [TestWebP.frame(31, 21, lossy: true)]

        #expect(
            faults(animation(mixed), frames: 3) == ["lossy and lossless frames are mixed"])
    }

    @Test func reservedBitsAreZero() throws {
        var frames = try frames()
        frames[0].methods = 4

        #expect(faults(animation(frames), frames: 2) == ["frame 0 has reserved bits set: 4"])
    }

    @Test func metadataIsAcceptedWhereTheFormatWantsIt() throws {
        let picture = try TestWebP.picture(of: still(lossy: false, alpha: 128))
        let (profile, note) = (TestWebP.chunk("ICCP", [1, 2]), TestWebP.chunk("EXIF", [3, 4]))
        let header = TestWebP.header(flags: 0x38, canvas)

        #expect(concerns(TestWebP.file([header, profile, picture, note])) == [])
        #expect(concerns(TestWebP.file([header, profile, picture])) == [.header])
        #expect(concerns(TestWebP.file([header, note, picture, profile])) == [.order])
        #expect(concerns(TestWebP.file([picture, note])) == [.order])
    }

    private func concerns(_ file: [UInt8]) -> [WebPFault.Concern] {
        WebPAudit.sortedFaults(in: file, canvas: canvas, frames: nil, acceptsMetadata: true)
            .map(\.concern)
    }

    @Test func everyCutIsFound() throws {
        let moving = animation(try frames())
        let still = try still(lossy: true, alpha: 128)

        for length in 0..<moving.count {
            #expect(faults(Array(moving[..<length]), frames: 2, 200) != [])
        }
        for length in 0..<still.count { #expect(faults(Array(still[..<length])) != []) }
    }

    @Test func anyBytesAreLookedAt() throws {
        var numbers = SeededGenerator(seed: 7)
        let files = [animation(try frames()), try still(lossy: true, alpha: 128)]
        for round in 0..<6000 {
            var file = files[round % 2]
            for _ in 0...(round % 5) {
                // Mostly where headers are.
                let end = round % 3 == 0 ? file.count : 90
                file[Int.random(in: 0..<end, using: &numbers)] = UInt8.random(
                    in: 0...255, using: &numbers)
            }
            #expect(faults(file, frames: round % 4 < 2 ? 2 : nil, 200).count <= 20)
        }
    }
}
