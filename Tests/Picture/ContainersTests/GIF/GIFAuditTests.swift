import StickerCodecs
import StickerContainers
import StickerRaster
import StickerTestSupport
import StickerValues
import Testing

struct GIFAuditTests {
    private let size = PixelSize(width: 12, height: 10)

    private func faults(_ file: [UInt8], frames: Int = 2, _ milliseconds: Int? = 130) -> [String] {
        GIFAudit.faults(in: file, size: size, frames: frames, durationMilliseconds: milliseconds)
    }

    /// Two frames of 130 ms together, the second one in a corner.
    private func picture() -> TestGIF {
        var first = TestGIF.Frame.filled(1, 12, 10)
        var second = TestGIF.Frame.filled(2, 3, 2)
        (first.delay, second.delay) = (5, 8)
        (second.x, second.y) = (9, 8)
        return TestGIF(width: 12, height: 10, repetitions: 0, frames: [first, second])
    }

    /// `file` with `block` put in front of its trailer.
    private func adding(_ block: [UInt8], to file: [UInt8]) -> [UInt8] {
        file.dropLast() + block + [0x3B]
    }

    @Test func filesOfOursPass() throws {
        let encoder = try GIFEncoder(
            size: size, matte: SIMD3(repeating: 255), frameMillisecondsMin: 20, bytesMax: .max)
        for alpha in [255, 0, 255] as [UInt8] {
            try encoder.add(frame: .gradient(12, 10, alpha: alpha), durationMilliseconds: 45)
        }
        let file = try #require(try encoder.finish())

        let found = faults(file, frames: encoder.frameCount, encoder.durationMilliseconds)

        #expect(found == [])
    }

    @Test func framesAndTheirTimeAreCounted() {
        let file = picture().bytes

        #expect(faults(file) == [])
        #expect(faults(file, nil) == [])
        #expect(faults(file, frames: 3) == ["2 images instead of 3"])
        #expect(faults(file, 140) == ["the frames last 130 ms instead of 140"])
    }

    @Test func noBeginningPassesAndNoDamageTraps() {
        let file = picture().bytes

        for length in 0..<file.count { #expect(!faults(Array(file[..<length])).isEmpty) }
        forEachDamage(of: file) { #expect(faults($0).count <= 20) }
    }

    @Test func bytesBehindTheTrailerAreFound() {
        #expect(faults(picture().bytes + [0]) == ["1 bytes follow the trailer"])
    }

    @Test func framesOutsideTheScreenAreFound() {
        var picture = picture()
        picture.frames[1].x = 10

        #expect(faults(picture.bytes) == ["image 1, 3x2 at 10,8, leaves the screen"])
    }

    @Test func anotherScreenIsFound() {
        var picture = picture()
        picture.width = 13

        #expect(faults(picture.bytes) == ["the screen is 13x10 instead of 12x10"])
    }

    @Test func blocksThatOursDoNotHaveAreFound() {
        let comment = adding([0x21, 0xFE, 1, 65, 0], to: picture().bytes)
        let application = adding(
            [0x21, 0xFF, 11] + Array("XMP DataXMP".utf8) + [0], to: picture().bytes)

        #expect(faults(comment) == ["there is an extension block with label 254"])
        #expect(faults(application) == ["there is an application block other than the loop"])
    }
}
