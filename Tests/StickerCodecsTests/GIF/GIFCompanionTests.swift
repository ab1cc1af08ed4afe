import StickerModel
import StickerRaster
import Testing

@testable import StickerCodecs

struct GIFCompanionTests {
    /// Plays noise, which GIF cannot compress: 330 kB a frame at 512 pixels, 130 kB at 320.
    private func noise(frames: Int, sizes: (PixelSize) -> Void) throws -> GIFCompanion {
        try GIFCompanion.make(matte: SIMD3(255, 255, 255)) { encoder, size throws(CodecError) in
            sizes(size)
            for number in 0..<frames where !encoder.isTooLarge {
                var numbers = SeededNumbers(UInt64(number))
                let frame = picture(size.width, size.height) { _, _ in
                    let bits = numbers.next()
                    return SIMD4(
                        UInt8(bits & 0xFF), UInt8(bits >> 8 & 0xFF), UInt8(bits >> 16 & 0xFF), 255)
                }
                try encoder.add(frame: frame, durationMilliseconds: 20)
            }
        }
    }

    @Test func fileThatIsSmallIsAsLargeAsTheSticker() throws {
        var sides: [Int] = []

        let made = try noise(frames: 3) { sides.append($0.width) }

        #expect(sides == [512])
        #expect(made.size == .sticker && made.frames == 3 && made.durationMilliseconds == 60)
        #expect(made.file.count <= GIFCompanion.bytesMax)
    }

    @Test func fileTooLargeIsMadeAgainWithFewerPixels() throws {
        var sides: [Int] = []

        let made = try noise(frames: 10) { sides.append($0.width) }

        #expect(sides == [512, 320])
        #expect(made.size.width == 320 && made.frames == 10 && made.durationMilliseconds == 200)
        #expect(made.file.count <= GIFCompanion.bytesMax)
    }

    @Test func fileStillTooLargeHasFewerFrames() throws {
        var sides: [Int] = []

        let made = try noise(frames: 24) { sides.append($0.width) }

        #expect(sides == [512, 320, 320])
        #expect(made.frames == 6 && made.durationMilliseconds == 480)
        let shown = try GIFDecoder(SourceBytes(made.file), limits: DecodeLimits())
        #expect(shown.frameCount == 6 && shown.durationMilliseconds == 480)
    }

    @Test func errorOfThePlayerEndsIt() {
        let broken = CodecError(.malformed, .gif, "the source is damaged")

        #expect(throws: broken) {
            _ = try GIFCompanion.make(matte: SIMD3(0, 0, 0)) { _, _ throws(CodecError) in
                throw broken
            }
        }
    }
}
