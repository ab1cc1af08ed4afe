import StickerCodecs
import StickerContainers
import StickerRaster
import StickerTestSupport
import StickerValues
import Testing

struct APNGAuditTests {
    private let size = PixelSize(width: 12, height: 10)

    private func faults(
        _ file: [UInt8], frames: Int = 2, _ milliseconds: Int? = 130, plays: Int = 0
    ) -> [String] {
        PNGAudit.faults(
            in: file, size: size, frames: frames, durationMilliseconds: milliseconds,
            loopCount: plays)
    }

    /// Two frames of 130 ms together, the second one in a corner.
    private func picture() -> TestAPNG {
        var first = TestAPNG.Frame.filled(TestAPNG.red, 12, 10)
        var second = TestAPNG.Frame.filled(TestAPNG.green, 3, 2)
        (first.delay, second.delay) = ((50, 1000), (80, 1000))
        (second.x, second.y) = (9, 8)
        return TestAPNG(width: 12, height: 10, frames: [first, second])
    }

    /// The faults of the picture once its chunks are changed: header, acTL, fcTL, IDAT, fcTL, fdAT, IEND.
    private func faults(_ change: (inout [[UInt8]]) -> Void) -> [String] {
        var chunks = picture().chunks
        change(&chunks)
        return faults(TestPNG.file(chunks))
    }

    /// The faults of the picture once its second frame is changed.
    private func faults(frame change: (inout TestAPNG.Frame) -> Void) -> [String] {
        var picture = picture()
        change(&picture.frames[1])
        return faults(picture.bytes)
    }

    @Test(arguments: [false, true]) func filesOfOursPass(allowsPalette: Bool) throws {
        for alphas in [[255, 255, 255], [255, 0, 9]] as [[UInt8]] {
            let encoder = try APNGEncoder(size: size, loopCount: 3, allowsPalette: allowsPalette)
            for (index, alpha) in alphas.enumerated() {
                let frame = PixelBuffer.drawn(size) { x, y in
                    SIMD4(UInt8(x * index), UInt8(y), 1, alpha)
                }
                try encoder.add(frame: frame, durationMilliseconds: 45 + index)
            }
            let file = try #require(try encoder.finish())

            #expect(faults(file, frames: 3, 138, plays: 3) == [])
        }
    }

    @Test func framesTimeAndPlaysAreCompared() {
        let file = picture().bytes

        #expect(faults(file) == [])
        #expect(faults(file, nil) == [])
        #expect(faults(file, frames: 3) == ["2 images instead of 3"])
        #expect(faults(file, 140) == ["the frames last 130 ms instead of 140"])
        #expect(faults(file, plays: 1) == ["the animation asks for 0 plays instead of 1"])
    }

    @Test func anyDamageIsFound() {
        forEachDamage(of: picture().bytes) { damaged in
            #expect((1...20).contains(faults(damaged).count))
        }
    }

    @Test func bytesBehindTheEndAreFound() {
        #expect(faults(picture().bytes + [0]) == ["1 bytes stand behind IEND"])
        #expect(faults { $0.removeLast() }.count == 1)
        #expect(faults { $0[6] = TestPNG.chunk("IEND", [1]) } == ["IEND holds 1 bytes"])
    }

    @Test func anotherCanvasIsFound() {
        var picture = picture()
        picture.width = 13

        #expect(faults(picture.bytes) == ["the picture is 13x10 instead of 12x10"])
    }

    @Test func framesOutsideTheCanvasAreFound() {
        #expect(faults(frame: { $0.x = 10 }) == ["image 1, 3x2 at 10,8, leaves the canvas"])
        #expect(faults(frame: { $0.height = 0 }) == ["image 1, 3x0 at 9,8, is empty"])
    }

    @Test func firstFramesThatAreNotWholeAreFound() {
        var picture = picture()
        picture.frames[0].width = 11

        #expect(faults(picture.bytes) == ["image 0, 11x10 at 0,0, is not the whole canvas"])
    }

    @Test func numbersThatOursDoNotHaveAreFound() {
        #expect(
            faults(frame: { $0.disposal = 3 }) == [
                "image 1, 3x2 at 9,8, has disposal 3 and blending 0"
            ])
        #expect(
            faults(frame: { $0.blend = 2 }) == [
                "image 1, 3x2 at 9,8, has disposal 0 and blending 2"
            ])
        #expect(
            faults(frame: { $0.delay = (8, 100) })
                == ["image 1, 3x2 at 9,8, counts its time in 1/100 s"])
    }

    @Test func gapsInTheNumberingAreFound() {
        let found = faults { $0[5] = TestAPNG.pixels([1], 5) }

        #expect(found == ["fdAT has sequence number 5 instead of 2"])
        #expect(faults { $0[5] = TestPNG.chunk("fdAT") } == ["fdAT has no sequence number"])
    }

    @Test func framesThatActlDoesNotPromiseAreFound() {
        #expect(
            faults { $0[1] = TestAPNG.animation(3) }
                == ["acTL promises 3 images, and 2 are there"])
        #expect(faults { $0.remove(at: 1) } == ["there is no acTL chunk"])
        #expect(faults { $0[1] = TestPNG.chunk("acTL") }.first == "acTL has 0 bytes instead of 8")
    }

    @Test func chunksInAWrongPlaceAreFound() {
        #expect(
            faults { $0.swapAt(4, 5) }.first == "\"fdAT\" does not belong behind \"IDAT\"")
        #expect(faults { $0.insert($0[1], at: 1) } == ["there is a second \"acTL\""])
        #expect(
            faults { $0.insert($0.remove(at: 1), at: 5) }
                == ["\"acTL\" stands behind the first frame"])
        #expect(faults { $0.insert($0[3], at: 4) }.count == 1)
        #expect(faults { $0.remove(at: 3) }.contains("there is no IDAT chunk"))
        #expect(
            faults { $0.swapAt(0, 1) }.contains("\"acTL\" stands where only IHDR belongs"))
    }

    @Test(arguments: ["tEXt", "eXIf", "iCCP", "tIME", "ABCD"])
    func otherChunksAreFound(type: String) {
        let found = faults { $0.insert(TestPNG.chunk(type, [1, 2]), at: 1) }

        #expect(found == ["there is a chunk \"\(type)\""])
    }

    @Test func palettesAreChecked() {
        let bare = faults { $0[0] = TestPNG.header(12, 10, color: 3) }
        let superfluous = faults { $0.insert(TestPNG.chunk("PLTE", [1, 2, 3]), at: 1) }

        #expect(bare == ["a palette picture has no PLTE chunk"])
        #expect(superfluous == ["PLTE stands in a picture without palette"])
        #expect(faults { $0[5][9] ^= 1 }.first == "the checksum of \"fdAT\" is wrong")
    }

    @Test func faultsAreNotManyHoweverManyThereAre() {
        let stuffed = faults { chunks in
            chunks.insert(contentsOf: Array(repeating: TestPNG.chunk("tEXt"), count: 100), at: 1)
        }

        #expect(stuffed.count == 20)
    }
}
