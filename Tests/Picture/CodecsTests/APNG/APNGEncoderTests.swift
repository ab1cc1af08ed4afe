import StickerContainers
import StickerRaster
import StickerTestSupport
import StickerValues
import Testing

@testable import StickerCodecs

struct APNGEncoderTests {
    private typealias Frame = (picture: [SIMD4<UInt8>], milliseconds: Int)

    private let size = PixelSize(width: 23, height: 17)

    private func encoder(
        loopCount: Int = 0, bytesMax: Int = .max, allowsPalette: Bool = false
    ) throws -> APNGEncoder {
        try APNGEncoder(
            size: size, loopCount: loopCount, bytesMax: bytesMax, allowsPalette: allowsPalette)
    }

    private func buffer(_ pixels: [SIMD4<UInt8>]) -> PixelBuffer {
        picture(size.width, size.height) { x, y in pixels[y * size.width + x] }
    }

    private func encode(_ frames: [Frame], allowsPalette: Bool = false) throws -> [UInt8] {
        let encoder = try encoder(allowsPalette: allowsPalette)
        for frame in frames {
            try encoder.add(
                frame: buffer(frame.picture), durationMilliseconds: frame.milliseconds)
        }
        let file = try #require(try encoder.finish())
        let faults = PNGAudit.faults(
            in: file, size: size, frames: encoder.frameCount,
            durationMilliseconds: encoder.durationMilliseconds, loopCount: 0)
        #expect(faults == [])
        return file
    }

    private func decode(_ file: [UInt8]) throws -> [Frame] {
        try decodeAnimation(SourceBytes(file)).map { shown in
            let bytes = shown.canvas.bytes
            let pixels = stride(from: 0, to: bytes.count, by: 4).map {
                SIMD4(bytes[$0], bytes[$0 + 1], bytes[$0 + 2], bytes[$0 + 3])
            }
            return (pixels, shown.frame.delayMilliseconds)
        }
    }

    /// Bits a sample and colour type, as the header chunk tells.
    private func form(_ file: [UInt8]) -> [UInt8] { Array(file[24...25]) }

    private func controls(_ file: [UInt8]) -> [PNGFrameControl] {
        file.withUnsafeBytes { bytes in
            PNGChunks(bytes).filter { $0.type == PNGChunkType.fctl }
                .compactMap { PNGFrameControl(bytes.part($0.data)) }
        }
    }

    private func filled(_ color: SIMD4<UInt8>) -> [SIMD4<UInt8>] {
        Array(repeating: color, count: size.pixelCount)
    }

    /// Pictures that differ in a few rectangles; alpha is one of `alphas`.
    private func scenes(_ numbers: inout SeededNumbers, alphas: [UInt8], colors: Int) -> [Frame] {
        func color() -> SIMD4<UInt8> {
            let alpha = alphas[Int.random(in: 0..<alphas.count, using: &numbers)]
            let level = UInt8(Int.random(in: 0..<colors, using: &numbers))
            return alpha == 0 ? .zero : SIMD4(level, 255 - level, level / 2, alpha)
        }
        var pixels = filled(color())
        return (0..<Int.random(in: 1...8, using: &numbers)).map { _ in
            for _ in 0..<Int.random(in: 0...3, using: &numbers) {
                let (left, top) = (
                    Int.random(in: 0..<23, using: &numbers), Int.random(in: 0..<17, using: &numbers)
                )
                let flat = Bool.random(using: &numbers) ? color() : nil
                for y in top..<Int.random(in: (top + 1)...17, using: &numbers) {
                    for x in left..<23 { pixels[y * 23 + x] = flat ?? color() }
                }
            }
            return (pixels, Int.random(in: 11...3000, using: &numbers))
        }
    }

    /// Frames that follow a frame with the same picture taken together with it.
    private func merged(_ frames: [Frame]) -> [Frame] {
        frames.reduce(into: []) { merged, frame in
            if let last = merged.last, last.picture == frame.picture {
                merged[merged.count - 1].milliseconds += frame.milliseconds
            } else {
                merged.append(frame)
            }
        }
    }

    @Test(
        arguments: [[255], [0, 255], [0, 80, 255], [1, 2]] as [[UInt8]], [false, true])
    func framesComeBackExactly(alphas: [UInt8], allowsPalette: Bool) throws {
        var numbers = SeededNumbers(UInt64(alphas.reduce(0) { $0 * 256 + Int($1) }))
        for round in 0..<60 {
            let frames = scenes(&numbers, alphas: alphas, colors: round < 30 ? 6 : 200)

            let shown = try decode(encode(frames, allowsPalette: allowsPalette))

            let expected = merged(frames)
            #expect(shown.map(\.picture) == expected.map(\.picture))
            #expect(shown.map(\.milliseconds) == expected.map(\.milliseconds))
        }
    }

    @Test func opaqueFramesHaveNoAlpha() throws {
        let opaque: [Frame] = [
            (filled(SIMD4(1, 2, 3, 255)), 50), (filled(SIMD4(3, 2, 1, 255)), 50),
        ]
        let fading = opaque + [(filled(SIMD4(3, 2, 1, 254)), 50)]

        #expect(try form(encode(opaque)) == [8, 2])
        #expect(try form(encode(fading)) == [8, 6])
        #expect(try form(encode(opaque, allowsPalette: true)) == [8, 3])
        #expect(try form(encode(fading, allowsPalette: true)) == [8, 3])
    }

    @Test(arguments: [(254, 3), (255, 3), (256, 2)] as [(Int, UInt8)])
    func palettesEndWhereTheColorsDo(colors: Int, type: UInt8) throws {
        // Given a colour more in every frame, beginning with so many that the last has all of them
        let frames: [Frame] = (0..<6).map { step in
            let pixels = (0..<size.pixelCount).map { place in
                let color = min(place, colors - 6 + step)
                return SIMD4(UInt8(color & 255), UInt8(color >> 8), 7, 255)
            }
            return (pixels, 50)
        }

        let file = try encode(frames, allowsPalette: true)

        #expect(form(file)[1] == type)
        #expect(try decode(file).map(\.picture) == frames.map(\.picture))
    }

    @Test func framesCoverWhatChanged() throws {
        var second = filled(SIMD4(9, 9, 9, 255))
        for y in 5..<7 { for x in 3..<11 { second[y * 23 + x] = SIMD4(200, 0, 0, 255) } }

        let file = try encode([(filled(SIMD4(9, 9, 9, 255)), 40), (second, 60)])

        let frames = controls(file)
        #expect(frames.map(\.width) == [23, 8])
        #expect(frames.map(\.height) == [17, 2])
        #expect(frames.map(\.x) == [0, 3])
        #expect(frames.map(\.y) == [0, 5])
        #expect(frames.map(\.disposal) == [0, 0])
    }

    @Test func stillPixelsAreLeftOutIfThatIsSmaller() throws {
        // Given two dots that move over noise, in opposite corners
        var numbers = SeededNumbers(3)
        let noise = filled(.zero).map { _ in
            SIMD4(UInt8.random(in: 0...255, using: &numbers), 1, 2, 254)
        }
        var moved = noise
        (moved[0], moved[moved.count - 1]) = (SIMD4(0, 0, 0, 255), SIMD4(0, 0, 0, 255))

        let file = try encode([(noise, 40), (moved, 40)])

        #expect(controls(file).map(\.blend) == [0, 1])
        #expect(try decode(file).map(\.picture) == [noise, moved])
    }

    @Test func equalNeighborsAreOneFrame() throws {
        let (one, other) = (filled(SIMD4(1, 1, 1, 255)), filled(SIMD4(2, 2, 2, 255)))
        let encoder = try encoder()
        for frame in [one, one, other, other, one] {
            try encoder.add(frame: buffer(frame), durationMilliseconds: 33)
        }

        let file = try #require(try encoder.finish())

        #expect(encoder.frameCount == 3)
        #expect(encoder.durationMilliseconds == 165)
        #expect(try decode(file).map(\.milliseconds) == [66, 66, 33])
    }

    @Test func pixelsThatDoNotShowAreEqual() throws {
        let encoder = try encoder()
        try encoder.add(frame: buffer(filled(SIMD4(1, 2, 3, 0))), durationMilliseconds: 50)
        try encoder.add(frame: buffer(filled(SIMD4(9, 9, 9, 0))), durationMilliseconds: 50)

        let file = try #require(try encoder.finish())

        #expect(try decode(file).map(\.picture) == [filled(.zero)])
    }

    @Test(arguments: [false, true]) func longDelaysAreDivided(allowsPalette: Bool) throws {
        for alpha in [255, 77] as [UInt8] {
            let frames: [Frame] = [
                (filled(SIMD4(1, 2, 3, alpha)), 65_535), (filled(SIMD4(3, 2, 1, alpha)), 65_540),
                (filled(SIMD4(0, 2, 1, alpha)), 200_001),
            ]

            let shown = try decode(encode(frames, allowsPalette: allowsPalette))

            let times = [65_535, 32_770, 32_770, 50_001, 50_000, 50_000, 50_000]
            #expect(shown.map(\.milliseconds) == times)
            #expect(merged(shown).map(\.picture) == frames.map(\.picture))
            #expect(merged(shown).map(\.milliseconds) == frames.map(\.milliseconds))
        }
    }

    @Test func playsAreStored() throws {
        for plays in [0, 1, 4] {
            let encoder = try encoder(loopCount: plays)
            try encoder.add(frame: buffer(filled(.zero)), durationMilliseconds: 50)
            let file = try #require(try encoder.finish())

            let decoder = try APNGDecoder(SourceBytes(file), limits: DecodeLimits())
            #expect(decoder.loopCount == plays)
        }
    }

    @Test func filesThatGrowTooLargeAreGivenUp() throws {
        // Given noise, which does not compress
        var numbers = SeededNumbers(11)
        let frames = (0..<4).map { _ in
            filled(.zero).map { _ in
                SIMD4(UInt8.random(in: 0...255, using: &numbers), 7, 7, 255)
            }
        }
        func encoded(bytesMax: Int) throws -> (file: [UInt8]?, encoder: APNGEncoder) {
            let encoder = try encoder(bytesMax: bytesMax)
            for frame in frames {
                try encoder.add(frame: buffer(frame), durationMilliseconds: 50)
            }
            return (try encoder.finish(), encoder)
        }
        let whole = try #require(try encoded(bytesMax: .max).file).count

        let (fitting, tooLarge) = (try encoded(bytesMax: whole), try encoded(bytesMax: whole - 1))

        #expect(fitting.file?.count == whole)
        #expect(!fitting.encoder.isTooLarge)
        #expect(tooLarge.file == nil)
        #expect(tooLarge.encoder.isTooLarge)
        #expect(try encoded(bytesMax: whole / 3).encoder.frameCount == 0)
    }

    @Test func equalFramesGiveEqualFiles() throws {
        var (one, other) = (SeededNumbers(4), SeededNumbers(4))

        let files = [
            try encode(scenes(&one, alphas: [0, 9, 255], colors: 99)),
            try encode(scenes(&other, alphas: [0, 9, 255], colors: 99)),
        ]

        #expect(files[0] == files[1])
    }

    @Test func misuseIsAnError() throws {
        let encoder = try encoder()

        #expect(throws: CodecError(.noFrames, .png, "an animation needs a frame")) {
            try encoder.finish()
        }
        #expect(throws: CodecError(.encoder, .png, "a frame of 2x2 on a canvas of 23x17")) {
            try encoder.add(frame: gradient(2, 2), durationMilliseconds: 1)
        }
        for side in [0, 2049] {
            let error = #expect(throws: CodecError.self) {
                try APNGEncoder(size: PixelSize(width: side, height: 1), loopCount: 0)
            }
            #expect(error?.code == .badDimensions)
        }
    }
}
