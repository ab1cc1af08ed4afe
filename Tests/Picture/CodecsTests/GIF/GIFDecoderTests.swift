import StickerCodecs
import StickerContainers
import StickerRaster
import StickerTestSupport
import StickerValues
import Testing

struct GIFDecoderTests {
    private typealias Frame = TestGIF.Frame
    private let red = TestGIF.red + [255]
    private let green = TestGIF.green + [255]
    private let blue = TestGIF.blue + [255]
    private let clear: [UInt8] = [0, 0, 0, 0]

    private func decoder(_ gif: TestGIF, _ limits: DecodeLimits = DecodeLimits()) throws
        -> GIFDecoder
    {
        try GIFDecoder(SourceBytes(gif.bytes), limits: limits)
    }

    private func frames(_ gif: TestGIF) throws -> [(frame: AnimationFrame, canvas: Decoded)] {
        try decodeAnimation(SourceBytes(gif.bytes))
    }

    private func ending(_ file: [UInt8]) -> Ending {
        do throws(CodecError) {
            return .pixels(try decodeAnimation(SourceBytes(file)).last?.canvas.bytes.hashValue ?? 0)
        } catch {
            return .error(error)
        }
    }

    /// Red all over, then a green square in the middle with `disposal`, then a blue dot.
    private func threeFrames(disposal: UInt8) -> TestGIF {
        var square = Frame.filled(1, 2, 2)
        (square.x, square.y, square.disposal) = (1, 1, disposal)
        return TestGIF(width: 4, height: 4, frames: [.filled(0, 4, 4), square, .filled(2, 1, 1)])
    }

    @Test(arguments: [0, 1, 5, 6, 7] as [UInt8])
    func keptFramesStay(disposal: UInt8) throws {
        let last = try #require(frames(threeFrames(disposal: disposal)).last)

        #expect([last.canvas[0, 0], last.canvas[1, 1], last.canvas[3, 3]] == [blue, green, red])
        #expect(last.frame.changed == PixelRectangle(x: 0, y: 0, width: 1, height: 1))
    }

    @Test func clearedFramesLeaveAHole() throws {
        let last = try #require(frames(threeFrames(disposal: 2)).last)

        #expect([last.canvas[0, 0], last.canvas[1, 1], last.canvas[3, 3]] == [blue, clear, red])
        #expect(last.frame.changed == PixelRectangle(x: 0, y: 0, width: 3, height: 3))
    }

    @Test(arguments: [3, 4] as [UInt8]) func undoneFramesShowWhatWasThere(disposal: UInt8) throws {
        let shown = try frames(threeFrames(disposal: disposal))

        #expect(shown[1].canvas[1, 1] == green)
        #expect([shown[2].canvas[0, 0], shown[2].canvas[1, 1]] == [blue, red])
    }

    @Test func transparentPixelsShowWhatIsBelow() throws {
        let over = Frame(width: 2, height: 1, indices: [1, 3], transparent: 3)
        let gif = TestGIF(width: 2, height: 1, frames: [.filled(0, 2, 1), over])

        let canvas = try #require(frames(gif).last).canvas

        #expect([canvas[0, 0], canvas[1, 0]] == [green, red])
    }

    @Test func indicesOutsideTheTableAreTransparent() throws {
        let gif = TestGIF(
            width: 2, height: 1, frames: [Frame(width: 2, height: 1, indices: [0, 99])])

        let canvas = try #require(frames(gif).first).canvas

        #expect([canvas[0, 0], canvas[1, 0]] == [red, clear])
    }

    @Test func localColorsComeFirst() throws {
        var frame = Frame.filled(0, 1, 1)
        frame.colors = [TestGIF.green, TestGIF.red]

        #expect(try frames(TestGIF(width: 1, height: 1, frames: [frame]))[0].canvas[0, 0] == green)
    }

    @Test func interlacedRowsFindTheirPlace() throws {
        // Given rows of index 0...8 in the order of the file
        let order = [0, 8, 4, 2, 6, 1, 3, 5, 7]
        let colors = (0..<9).map { [UInt8($0), 0, 0] }
        let frame = Frame(width: 1, height: 9, indices: order.map(UInt8.init), isInterlaced: true)
        let gif = TestGIF(width: 1, height: 9, colors: colors, frames: [frame])

        let canvas = try frames(gif)[0].canvas

        #expect((0..<9).map { canvas[0, $0][0] } == Array(0..<9))
    }

    @Test func framesAreClippedToTheCanvas() throws {
        var partly = Frame.filled(1, 4, 4)
        (partly.x, partly.y) = (2, 2)
        var wholly = Frame.filled(2, 2, 2)
        (wholly.x, wholly.y) = (3, 9)
        let gif = TestGIF(width: 3, height: 3, frames: [.filled(0, 3, 3), partly, wholly])

        let shown = try frames(gif)

        #expect(shown[1].frame.changed == PixelRectangle(x: 2, y: 2, width: 1, height: 1))
        #expect([shown[2].canvas[1, 1], shown[2].canvas[2, 2]] == [red, green])
        #expect(shown[2].frame.changed.isEmpty)
    }

    @Test func emptyFramesAreLeftOut() throws {
        let gif = TestGIF(
            width: 1, height: 1, frames: [.filled(0, 0, 0), .filled(1, 1, 1), .filled(2, 1, 0)])

        let decoder = try decoder(gif)

        #expect(decoder.frameCount == 1)
        #expect(decoder.header.warnings.map(\.code) == ["empty-frame"])
        #expect(try frames(gif).map(\.canvas[0, 0]) == [green])
    }

    @Test func framesWithoutAVisiblePixelAreNone() {
        var outside = Frame.filled(1, 2, 2)
        outside.x = 1

        for frames in [[], [Frame.filled(0, 0, 0)], [.filled(0, 0, 0), outside]] {
            let gif = TestGIF(width: 1, height: 1, frames: frames)
            #expect(throws: CodecError(.noFrames, .gif, "no frame has a pixel on the canvas")) {
                try decoder(gif)
            }
        }
    }

    // MARK: Broken screens

    @Test(arguments: [(0, 0), (2, 1), (4, 0), (4, 3)])
    func canvasHoldsTheScreenAndTheFirstFrame(width: Int, height: Int) throws {
        var first = Frame.filled(0, 3, 2)
        (first.x, first.y) = (1, 1)
        let gif = TestGIF(width: width, height: height, frames: [first, .filled(1, 9, 9)])

        let shown = try frames(gif)

        let size = PixelSize(width: max(4, width), height: max(3, height))
        #expect(try decoder(gif).header.size == size)
        #expect(PictureOutline.read(SourceBytes(gif.bytes))?.size == size)
        #expect([shown[0].canvas[0, 0], shown[0].canvas[3, 2]] == [clear, red])
        #expect([shown[1].canvas[0, 0], shown[1].canvas[3, 2]] == [green, green])
    }

    @Test func firstFrameFarOutsideIsOverALimit() {
        var far = Frame.filled(0, 1, 1)
        far.x = 60_000

        let failure = #expect(throws: CodecError.self) {
            try decoder(TestGIF(width: 9, height: 9, frames: [far]))
        }

        #expect(failure?.code == .badDimensions)
    }

    @Test func delaysFollowBrowsers() throws {
        let delays = [0, 1, 2, 50].map { delay in
            var frame = Frame.filled(0, 1, 1)
            frame.delay = delay
            return frame
        }
        let gif = TestGIF(width: 1, height: 1, frames: delays)

        #expect(try frames(gif).map(\.frame.delayMilliseconds) == [100, 100, 20, 500])
        #expect(try decoder(gif).durationMilliseconds == 720)
    }

    @Test(arguments: [(nil, 1), (0, 0), (1, 2), (65535, 65535)] as [(Int?, Int)])
    func repetitionsBecomePlays(repetitions: Int?, plays: Int) throws {
        let gif = TestGIF(
            width: 1, height: 1, repetitions: repetitions, frames: [.filled(0, 1, 1)])

        #expect(try decoder(gif).loopCount == plays)
    }

    @Test func missingTrailerIsAWarning() throws {
        let gif = TestGIF(width: 1, height: 1, frames: [.filled(0, 1, 1)], hasTrailer: false)

        #expect(try decoder(gif).header.warnings.map(\.code) == ["no-trailer"])
        #expect(try frames(gif).count == 1)
    }

    @Test func cutsWithinABlockAreTruncated() {
        // Given two frames, of which the first alone is a picture without a trailer
        let one = TestGIF(width: 20, height: 20, frames: [.filled(0, 20, 20)], hasTrailer: false)
        let two = TestGIF(width: 20, height: 20, frames: [.filled(0, 20, 20), .filled(1, 9, 9)])
        let file = two.bytes
        let control = one.bytes.count + 8
        let frameEnds = [one.bytes.count, control, file.count - 1]

        for length in 0..<file.count where !frameEnds.contains(length) {
            guard case .error(let error) = ending(Array(file[..<length])) else {
                Issue.record("pixels from \(length) of \(file.count) bytes")
                continue
            }
            #expect(length < 6 || error.code == .truncated || error.code == .noFrames)
        }
    }

    @Test func damagedBytesEndAlike() {
        let file = threeFrames(disposal: 3).bytes

        expectStableEndings(of: file, rounds: 3000) { ending($0) }
    }

    @Test func tooManyFramesAreRefusedBeforeDecoding() {
        var limits = DecodeLimits()
        limits.framesMax = 2

        let error = #expect(throws: CodecError.self) {
            try decoder(threeFrames(disposal: 0), limits)
        }

        #expect(error?.code == .tooManyFrames)
        #expect(error?.limit == "2 frames (limits.framesMax)")
    }

    @Test func onlyTheAreaToPutBackCountsBesideTheCanvas() {
        // Given a canvas of 400 bytes, and a corner of 24 bytes that is to be put back
        var corner = Frame.filled(1, 3, 2)
        corner.disposal = 3
        let gif = TestGIF(width: 10, height: 10, frames: [.filled(0, 10, 10), corner])
        var limits = DecodeLimits()

        limits.decoderBytesMax = 424
        #expect(throws: Never.self) { try decoder(gif, limits) }
        limits.decoderBytesMax = 423
        let error = #expect(throws: CodecError.self) { try decoder(gif, limits) }

        #expect(error?.code == .tooComplex)
        #expect(error?.measured == "424 bytes")
    }

    @Test(arguments: [0, 2, 3] as [UInt8]) func framesAreTheSameAfterGoingBack(disposal: UInt8)
        throws
    {
        let decoder = try decoder(threeFrames(disposal: disposal))
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

    @Test func pixelsOfAllFramesCount() {
        var limits = DecodeLimits()
        limits.totalPixelsMax = 47

        let error = #expect(throws: CodecError.self) {
            try decoder(threeFrames(disposal: 0), limits)
        }

        #expect(error?.code == .tooManyPixels)
        #expect(error?.limit == "47 px (limits.totalPixelsMax)")
    }

    @Test func alphaIsToldFromTheBlocks() throws {
        #expect(try decoder(threeFrames(disposal: 0)).header.hasAlpha == false)
        #expect(try decoder(threeFrames(disposal: 2)).header.hasAlpha)
        #expect(
            try decoder(TestGIF(width: 3, height: 3, frames: [.filled(0, 2, 2)])).header.hasAlpha)
    }

    @Test func frameWithoutColorsIsRefused() {
        let gif = TestGIF(width: 1, height: 1, colors: nil, frames: [.filled(0, 1, 1)])

        #expect(throws: CodecError(.malformed, .gif, "a frame has no colour table")) {
            try frames(gif)
        }
    }
}
