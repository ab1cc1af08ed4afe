import StickerContainers
import StickerRaster
import StickerValues
import Testing

@testable import StickerCodecs

struct GIFEncoderTests {
    private typealias Frame = (picture: [SIMD4<UInt8>], milliseconds: Int)

    private let size = PixelSize(width: 23, height: 17)
    private let white = SIMD3<UInt8>(255, 255, 255)
    private let clear = SIMD4<UInt8>(0, 0, 0, 0)

    private func buffer(_ pixels: [SIMD4<UInt8>], width: Int) -> PixelBuffer {
        picture(width, pixels.count / width) { x, y in pixels[y * width + x] }
    }

    private func encode(_ frames: [Frame], width: Int = 23) throws -> [UInt8] {
        let height = frames[0].picture.count / width
        let encoder = try GIFEncoder(size: PixelSize(width: width, height: height), matte: white)
        for frame in frames {
            try encoder.add(
                frame: buffer(frame.picture, width: width),
                durationMilliseconds: frame.milliseconds)
        }
        return try #require(try encoder.finish())
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

    /// Pictures that differ in a few rectangles, some of them holes.
    private func scenes(_ numbers: inout SeededNumbers, colors: Int) -> [Frame] {
        let palette = (0..<colors).map { _ in
            let bits = UInt32.random(in: 0...0xFF_FFFF, using: &numbers)
            return SIMD4(UInt8(bits & 255), UInt8(bits >> 8 & 255), UInt8(bits >> 16), 255)
        }
        var pixels = [SIMD4<UInt8>](repeating: clear, count: size.pixelCount)
        return (0..<Int.random(in: 1...9, using: &numbers)).map { _ in
            for _ in 0..<Int.random(in: 0...3, using: &numbers) {
                let isHole = Int.random(in: 0...2, using: &numbers) == 0
                let rows = Int.random(in: 0..<17, using: &numbers)...16
                let (left, right) = (Int.random(in: 0..<23, using: &numbers), 22)
                for y in rows where Bool.random(using: &numbers) || isHole {
                    for x in left...right {
                        let color = palette[Int.random(in: 0..<colors, using: &numbers)]
                        pixels[y * 23 + x] = isHole ? clear : color
                    }
                }
            }
            return (pixels, Int.random(in: 2...30, using: &numbers) * 10)
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

    @Test(arguments: [2, 40, 255, 400]) func framesOfFewColorsComeBackExactly(colors: Int) throws {
        var numbers = SeededNumbers(UInt64(colors))
        for _ in 0..<150 {
            let frames = scenes(&numbers, colors: colors)

            let shown = try decode(encode(frames))

            let expected = merged(frames)
            #expect(shown.map(\.milliseconds) == expected.map(\.milliseconds))
            for (shown, expected) in zip(shown, expected)
            where Set(expected.picture).count <= 255 {
                #expect(shown.picture == expected.picture)
            }
        }
    }

    @Test func holesAreExactWhateverTheColors() throws {
        // Given a noisy ball that moves over nothing
        var numbers = SeededNumbers(5)
        let frames: [Frame] = (0..<8).map { step in
            let pixels = (0..<64 * 64).map { place in
                let (x, y) = (place % 64 - 16 - 4 * step, place / 64 - 32)
                let bits = UInt32.random(in: 0...0xFF_FFFF, using: &numbers)
                let color = SIMD4(UInt8(bits & 255), UInt8(bits >> 8 & 255), UInt8(bits >> 16), 255)
                return x * x + y * y < 200 ? color : clear
            }
            return (pixels, 50)
        }

        let shown = try decode(encode(frames, width: 64))

        #expect(shown.count == 8)
        for (shown, frame) in zip(shown, frames) {
            #expect(shown.picture.map(\.w) == frame.picture.map(\.w))
        }
    }

    @Test func manyColorsStayNear() throws {
        let frames: [Frame] = (0..<3).map { step in
            let pixels = (0..<128 * 128).map { place in
                let (x, y) = (UInt8(place % 128), UInt8(place / 128))
                return SIMD4(x * 2, y * 2, UInt8(40 * step), 255)
            }
            return (pixels, 50)
        }

        let shown = try decode(encode(frames, width: 128))

        for (shown, frame) in zip(shown, frames) {
            let wanted = buffer(frame.picture, width: 128)
            #expect(buffer(shown.picture, width: 128).similarity(to: wanted).worst > 32)
        }
    }

    @Test func stillPartsStayStill() throws {
        // Given a smooth picture in which a square changes its colour
        let frames: [Frame] = (0..<4).map { step in
            let pixels = (0..<128 * 128).map { place in
                let (x, y) = (place % 128, place / 128)
                return x < 16 && y < 16
                    ? SIMD4(UInt8(60 * step), 0, 0, 255)
                    : SIMD4(UInt8(x * 2), UInt8(y * 2), UInt8((x + y) / 2), 255)
            }
            return (pixels, 50)
        }

        let file = try encode(frames, width: 128)

        let areas = try GIFSummary.frames(of: file).map(\.rectangle)
        let square = PixelRectangle(x: 0, y: 0, width: 16, height: 16)
        #expect(areas.dropFirst().allSatisfy { $0 == square })
        #expect(areas.count == 4 && areas[0].width == 128)
    }

    @Test func holesCostOnlyTheAreaInFront() throws {
        // Given a dot that wanders along a line, then a frame with nothing at all
        let dots: [Frame] = (0..<6).map { step in
            (0..<size.pixelCount).map { $0 == 23 * 5 + step * 2 ? SIMD4(9, 9, 9, 255) : clear }
        }.map { ($0, 100) }
        let nothing = [SIMD4<UInt8>](repeating: clear, count: size.pixelCount)

        let frames = try GIFSummary.frames(of: encode(dots + [(nothing, 100)]))

        #expect(frames.map(\.rectangle.width) == [1, 1, 1, 1, 1, 1, 1])
        #expect(frames.dropLast().allSatisfy { $0.disposal == .clear })
    }

    @Test func colorsThatFitAreSharedByAllFrames() throws {
        var numbers = SeededNumbers(3)
        var frames: [Frame] = []
        while frames.count < 3 { frames = scenes(&numbers, colors: 20) }

        let file = try encode(frames)

        let (screen, images) = try tables(of: file)
        #expect(screen == 32 && images.allSatisfy { $0 == 0 })
    }

    @Test func partlyTransparentPixelsAreComposedOnTheMatte() throws {
        let encoder = try GIFEncoder(
            size: PixelSize(width: 3, height: 1), matte: SIMD3(0, 255, 0))

        try encoder.add(
            frame: buffer(
                [SIMD4(255, 0, 0, 127), SIMD4(255, 0, 0, 128), SIMD4(9, 8, 7, 255)], width: 3),
            durationMilliseconds: 100)

        let file = try #require(try encoder.finish())
        #expect(
            try decode(file)[0].picture == [clear, SIMD4(128, 127, 0, 255), SIMD4(9, 8, 7, 255)])
    }

    @Test func nothingButPicturesAndTheLoopIsWritten() throws {
        var numbers = SeededNumbers(11)
        let file = try encode(scenes(&numbers, colors: 9))

        var labels: [UInt8] = []
        file.withUnsafeBytes { bytes in
            var blocks = GIFBlocks(bytes)
            while let block = blocks.next() {
                if case .extension(let label, _) = block { labels.append(label) }
            }
        }

        #expect(labels.filter { $0 != 0xF9 } == [0xFF])
        let decoder = try GIFDecoder(SourceBytes(file), limits: DecodeLimits())
        #expect(decoder.loopCount == 0)
        #expect(Container.completeness(of: SourceBytes(file)) == .whole)
    }

    @Test func equalFramesGiveEqualBytes() throws {
        var numbers = SeededNumbers(2)
        let frames = scenes(&numbers, colors: 300)

        #expect(try encode(frames) == encode(frames))
    }

    @Test func fileThatGrowsTooLargeIsGivenUp() throws {
        let encoder = try GIFEncoder(size: size, matte: white, bytesMax: 1000)
        var numbers = SeededNumbers(1)

        for _ in 0..<5 {
            let noise = picture(23, 17) { _, _ in
                SIMD4(UInt8.random(in: 0...255, using: &numbers), 0, 0, 255)
            }
            try encoder.add(frame: noise, durationMilliseconds: 40)
        }

        #expect(encoder.isTooLarge)
        #expect(try encoder.finish() == nil)
    }

    @Test(arguments: [(0, 5), (5, 0), (2049, 5), (5, 70_000), (-1, 5)] as [(Int, Int)])
    func sizesOutOfReasonAreRefused(width: Int, height: Int) {
        let error = #expect(throws: CodecError.self) {
            _ = try GIFEncoder(size: PixelSize(width: width, height: height), matte: white)
        }
        #expect(error?.code == .badDimensions && error?.limit != nil)
    }

    @Test func framesOfAnotherSizeAndNoFramesAreRefused() throws {
        let encoder = try GIFEncoder(size: size, matte: white)

        #expect(throws: CodecError.self) {
            try encoder.add(frame: gradient(24, 17), durationMilliseconds: 10)
        }
        let error = #expect(throws: CodecError.self) { try encoder.finish() }
        #expect(error?.code == .noFrames)
    }

    /// The entries of the screen's colour table and of each image's own.
    private func tables(of file: [UInt8]) throws -> (screen: Int, images: [Int]) {
        var images: [Int] = []
        file.withUnsafeBytes { bytes in
            var blocks = GIFBlocks(bytes)
            while let block = blocks.next() {
                guard case .image(let descriptor) = block else { continue }
                images.append(GIFBlocks.colorTableBytes(bytes[descriptor + 9]) / 3)
            }
        }
        return (GIFBlocks.colorTableBytes(file[10]) / 3, images)
    }
}

extension GIFSummary {
    fileprivate static func frames(of file: [UInt8]) throws -> [Frame] {
        try file.withUnsafeBytes { try GIFSummary($0, limits: DecodeLimits()).frames }
    }
}
