import StickerCodecs
import StickerRaster
import StickerTestSupport
import StickerValues
import Testing

struct APNGDecoderTests {
    private typealias Frame = TestAPNG.Frame
    private let red: [UInt8] = [255, 0, 0, 255]
    private let green: [UInt8] = [0, 255, 0, 255]
    private let blue: [UInt8] = [0, 0, 255, 255]
    private let clear: [UInt8] = [0, 0, 0, 0]

    private func decoder(_ file: [UInt8], _ limits: DecodeLimits = DecodeLimits()) throws
        -> APNGDecoder
    {
        try APNGDecoder(SourceBytes(file), limits: limits)
    }

    private func frames(_ png: TestAPNG) throws -> [(frame: AnimationFrame, canvas: Decoded)] {
        try decodeAnimation(SourceBytes(png.bytes))
    }

    /// Red all over, then a green square in the middle with `disposal`, then a blue dot.
    private func threeFrames(disposal: UInt8 = 0) -> TestAPNG {
        var square = Frame.filled(TestAPNG.green, 2, 2)
        (square.x, square.y, square.disposal) = (1, 1, disposal)
        return TestAPNG(
            width: 4, height: 4,
            frames: [.filled(TestAPNG.red, 4, 4), square, .filled(TestAPNG.blue, 1, 1)])
    }

    @Test func keptFramesStay() throws {
        let last = try #require(frames(threeFrames(disposal: 0)).last)

        #expect([last.canvas[0, 0], last.canvas[1, 1], last.canvas[3, 3]] == [blue, green, red])
        #expect(last.frame.changed == PixelRectangle(x: 0, y: 0, width: 1, height: 1))
    }

    @Test func clearedFramesLeaveAHole() throws {
        let last = try #require(frames(threeFrames(disposal: 1)).last)

        #expect([last.canvas[0, 0], last.canvas[1, 1], last.canvas[3, 3]] == [blue, clear, red])
        #expect(last.frame.changed == PixelRectangle(x: 0, y: 0, width: 3, height: 3))
    }

    @Test func undoneFramesShowWhatWasThere() throws {
        let shown = try frames(threeFrames(disposal: 2))

        #expect(shown[1].canvas[1, 1] == green)
        #expect([shown[2].canvas[0, 0], shown[2].canvas[1, 1]] == [blue, red])
    }

    @Test func undoingTheFirstFrameLeavesNothing() throws {
        var png = threeFrames()
        png.frames[0].disposal = 2

        let shown = try frames(png)

        #expect([shown[1].canvas[0, 0], shown[1].canvas[1, 1]] == [clear, green])
    }

    @Test(arguments: 0..<150) func framesAreComposedAsTheSpecificationSays(round: Int) throws {
        // Given frames of any size, place, alpha, blending and disposal
        var numbers = SeededNumbers(UInt64(round))
        let png = APNGScenes.random(&numbers)

        let shown = try frames(png)

        let expected = APNGScenes.composed(png)
        #expect(shown.map(\.canvas.bytes) == expected)
        #expect(shown.map(\.frame.index) == Array(0..<png.frames.count))
    }

    @Test(arguments: 0..<40) func whatDoesNotChangeIsTold(round: Int) throws {
        var numbers = SeededNumbers(UInt64(1000 + round))
        let shown = try frames(APNGScenes.random(&numbers))

        for (before, now) in zip(shown, shown.dropFirst()) {
            let area = now.frame.changed
            for y in 0..<now.canvas.size.height {
                for x in 0..<now.canvas.size.width
                where !(area.x..<(area.x + area.width) ~= x)
                    || !(area.y..<(area.y + area.height) ~= y)
                {
                    #expect(before.canvas[x, y] == now.canvas[x, y])
                }
            }
        }
    }

    @Test func defaultImageThatIsNoFrameIsLeftOut() throws {
        var png = threeFrames()
        png.hidden = .filled(SIMD4(9, 9, 9, 255), 4, 4)
        png.frames.removeFirst()

        let shown = try frames(png)

        #expect(shown.count == 2)
        #expect([shown[0].canvas[0, 0], shown[0].canvas[1, 1]] == [clear, green])
        #expect(try decoder(png.bytes).header.hasAlpha)
    }

    @Test func delaysFollowBrowsers() throws {
        let asked = [(0, 1000), (10, 1000), (11, 1000), (1, 60), (7, 0), (0, 0), (65535, 1)]
        let png = TestAPNG(
            width: 1, height: 1,
            frames: asked.map { delay in
                var frame = Frame.filled(TestAPNG.red, 1, 1)
                frame.delay = delay
                return frame
            })

        let delays = try frames(png).map(\.frame.delayMilliseconds)

        #expect(delays == [100, 100, 11, 17, 70, 100, 65_535_000])
        #expect(try decoder(png.bytes).durationMilliseconds == delays.reduce(0, +))
    }

    @Test(arguments: [(0, 0), (1, 1), (65535, 65535), (0x7FFF_FFFF, 65535)])
    func playsAreTaken(stored: Int, plays: Int) throws {
        var png = threeFrames()
        png.plays = stored

        #expect(try decoder(png.bytes).loopCount == plays)
    }

    @Test func framesAreTheSameAfterGoingBack() throws {
        for disposal in [0, 1, 2] as [UInt8] {
            let decoder = try decoder(threeFrames(disposal: disposal).bytes)
            var rounds: [[[UInt8]]] = []
            for _ in 0..<2 {
                var round: [[UInt8]] = []
                while try decoder.next() != nil { round.append(decoder.withCanvas { Array($0) }) }
                rounds.append(round)
                try decoder.rewind()
            }

            #expect(rounds[0].count == 3)
            #expect(rounds[0] == rounds[1])
        }
    }

    @Test func pixelsMayBeDividedIntoAnyNumberOfChunks() throws {
        // Given the last frame in pieces of one byte, with an empty one and a text in between
        let png = threeFrames()
        var chunks = Array(png.chunks.dropLast(2))
        var sequence = 4
        for byte in TestAPNG.data(png.frames[2]) {
            chunks.append(TestAPNG.pixels([byte], sequence))
            chunks.append(TestAPNG.pixels([], sequence + 1))
            chunks.append(TestPNG.chunk("tEXt", [65, 0, 66]))
            sequence += 2
        }

        let shown = try decodeAnimation(
            SourceBytes(TestPNG.file(chunks + [TestPNG.chunk("IEND")])))

        #expect(shown.count == 3)
        #expect(shown[2].canvas[0, 0] == blue)
    }

    @Test func theHeaderTellsOfTheCanvas() throws {
        var orientation = threeFrames().chunks
        orientation.insert(TestPNG.chunk("eXIf", TestJPEG.tiff(orientation: 6)), at: 1)

        let header = try decoder(TestPNG.file(orientation)).header

        #expect(header.format == .png)
        #expect(header.size == PixelSize(width: 4, height: 4))
        #expect(header.layout == .rgba8)
        #expect(header.color == .sRGB)
        #expect(header.orientation == .right)
        #expect(header.warnings == [])
        #expect(header.detail == "8 bit RGBA, 3 frames, 300 ms")
    }

    // MARK: Other samples

    /// Two frames of 2x1 pixels whose header is `header`, after `chunks`.
    private func samples(
        _ header: [UInt8], _ chunks: [[UInt8]] = [], rows: [UInt8], _ others: [UInt8]
    ) -> [UInt8] {
        let frame = Frame(width: 2, height: 1, pixels: [])
        return TestPNG.file(
            [header, TestAPNG.animation(2)] + chunks + [
                TestAPNG.control(frame, 0), TestPNG.chunk("IDAT", TestAPNG.stored(rows)),
                TestAPNG.control(frame, 1), TestAPNG.pixels(TestAPNG.stored(others), 2),
                TestPNG.chunk("IEND"),
            ])
    }

    @Test func palettesServeAllFrames() throws {
        let file = samples(
            TestPNG.header(2, 1, depth: 4, color: 3),
            [TestPNG.chunk("PLTE", [255, 0, 0, 0, 255, 0]), TestPNG.chunk("tRNS", [128])],
            rows: [0, 0x01], [0, 0x10])

        let shown = try decodeAnimation(SourceBytes(file))

        #expect(shown.map { $0.canvas[0, 0] } == [[255, 0, 0, 128], green])
        #expect(shown.map { $0.canvas[1, 0] } == [green, [255, 0, 0, 128]])
        #expect(try decoder(file).header.hasAlpha)
    }

    @Test func sixteenBitsComeDownToEight() throws {
        let file = samples(
            TestPNG.header(2, 1, depth: 16, color: 0),
            rows: [0, 0xFF, 0xFF, 0x80, 0x7F], [0, 0x00, 0x80, 0x00, 0x81])

        let shown = try decodeAnimation(SourceBytes(file))

        #expect(shown[0].canvas.bytes == [255, 255, 255, 255, 128, 128, 128, 255])
        #expect(shown[1].canvas.bytes == [0, 0, 0, 255, 1, 1, 1, 255])
        #expect(try decoder(file).header.hasAlpha == false)
    }

    @Test func gammaIsAppliedToEveryFrame() throws {
        let file = samples(
            TestPNG.header(2, 1, color: 0), [TestPNG.chunk("gAMA", TestPNG.number(100_000))],
            rows: [0, 64, 255], [0, 255, 64])

        let shown = try decodeAnimation(SourceBytes(file))

        #expect(shown[0].canvas[0, 0] == [136, 136, 136, 255])
        #expect(shown[1].canvas[1, 0] == [136, 136, 136, 255])
    }

    @Test func numbersAreAppliedToEveryFrame() throws {
        let file = samples(
            TestPNG.header(2, 1, color: 0), [TestPNG.chunk("cICP", [1, 8, 0, 1])],
            rows: [0, 128, 255], [0, 255, 128])

        let shown = try decodeAnimation(SourceBytes(file))

        #expect(shown[0].canvas[0, 0] == [188, 188, 188, 255])
        #expect(shown[1].canvas[1, 0] == [188, 188, 188, 255])
    }

    @Test func animationThatIsBrighterThanWhiteIsRefused() {
        let file = samples(
            TestPNG.header(2, 1, color: 0), [TestPNG.chunk("cICP", [9, 18, 0, 1])],
            rows: [0, 128, 255], [0, 255, 128])

        let error = #expect(throws: CodecError.self) { try decoder(file) }
        #expect(error?.code == .unsupported)
        #expect(error?.detail.contains("HLG, stated by cICP") == true)
    }

    @Test func interlacedFramesAreDecoded() throws {
        // Given frames of 2x1 pixels, whose second pixel comes in the sixth pass
        let file = samples(
            TestPNG.header(2, 1, color: 0, interlace: 1), rows: [0, 7, 0, 8], [0, 9, 0, 10])

        let shown = try decodeAnimation(SourceBytes(file))

        #expect(shown.map { [$0.canvas[0, 0][0], $0.canvas[1, 0][0]] } == [[7, 8], [9, 10]])
    }

    @Test func damagedProfilesAreAWarning() throws {
        var chunks = threeFrames().chunks
        chunks.insert(TestPNG.chunk("iCCP", [65, 0, 0, 1, 2, 3]), at: 1)

        let header = try decoder(TestPNG.file(chunks)).header

        #expect(header.warnings.map(\.code) == ["bad-profile"])
    }

    // MARK: What is an animation

    @Test func animationsAreTold() {
        let chunks = threeFrames().chunks
        let stills: [[[UInt8]]] = [
            chunks.filter { !$0.contains(Array("acTL".utf8)) },
            Array(chunks[..<1] + [TestAPNG.animation(1)] + chunks[2...]),
            Array(chunks[..<1] + [TestAPNG.animation(0)] + chunks[2...]),
            Array(chunks[..<1] + [TestPNG.chunk("acTL", [0, 0, 0, 3])] + chunks[2...]),
            Array(chunks[..<1] + chunks[2..<4] + [chunks[1]] + chunks[4...]),
        ]

        #expect(APNGDecoder.promisedFrames(SourceBytes(TestPNG.file(chunks))) != nil)
        for still in stills {
            #expect(APNGDecoder.promisedFrames(SourceBytes(TestPNG.file(still))) == nil)
        }
        #expect(APNGDecoder.promisedFrames(SourceBytes(Array("no picture".utf8))) == nil)
        #expect(APNGDecoder.promisedFrames(SourceBytes([])) == nil)
    }

    @Test func singleFrameThatIsNotTheDefaultImageIsShown() throws {
        let frame = TestAPNG.Frame(x: 1, width: 1, height: 1, pixels: [TestAPNG.red])
        let png = TestAPNG(
            width: 2, height: 1, frames: [frame], hidden: .filled(TestAPNG.green, 2, 1))
        let source = SourceBytes(png.bytes)

        #expect(APNGDecoder.promisedFrames(source) == 1)
        let shown = try decodeAnimation(source)
        #expect(
            shown.map { [$0.canvas[0, 0], $0.canvas[1, 0]] } == [
                [[0, 0, 0, 0], [255, 0, 0, 255]]
            ])
    }

    @Test func promisedFrameThatIsNotThereHidesNothing() {
        var png = TestAPNG(width: 1, height: 1, frames: [], hidden: .filled(TestAPNG.green, 1, 1))
        var chunks = png.chunks
        chunks[1] = TestAPNG.animation(1)
        png.frames = [.filled(TestAPNG.red, 1, 1)]
        let withoutPixels = png.chunks.dropLast(2) + png.chunks.suffix(1)

        for chunks in [chunks, Array(withoutPixels)] {
            #expect(APNGDecoder.promisedFrames(SourceBytes(TestPNG.file(chunks))) == nil)
        }
    }

    @Test func oneFrameCanBeDecodedToo() throws {
        var png = threeFrames()
        png.frames.removeLast(2)

        #expect(try frames(png).map(\.canvas[2, 2]) == [red])
    }
}

extension Array where Element == UInt8 {
    /// Whether `part` occurs in it.
    fileprivate func contains(_ part: [UInt8]) -> Bool {
        indices.contains { self[$0...].starts(with: part) }
    }
}
