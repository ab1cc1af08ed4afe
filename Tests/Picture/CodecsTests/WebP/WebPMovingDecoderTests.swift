import StickerCodecs
import StickerContainers
import StickerTestSupport
import StickerValues
import Testing

struct WebPMovingDecoderTests {
    private typealias Frame = TestWebP.Frame
    private let clear: [UInt8] = [0, 0, 0, 0]
    private let red: [UInt8] = [255, 0, 0, 255]

    private func frames(_ file: [UInt8]) throws -> [(frame: AnimationFrame, canvas: Decoded)] {
        try decodeAnimation(SourceBytes(file))
    }

    private func failure(_ file: [UInt8], limits: DecodeLimits = DecodeLimits()) -> CodecError? {
        do throws(CodecError) {
            _ = try decodeAnimation(SourceBytes(file), limits: limits)
            return nil
        } catch {
            return error
        }
    }

    private func ending(_ file: [UInt8]) -> Ending {
        do throws(CodecError) {
            return .pixels(try decodeAnimation(SourceBytes(file)).last?.canvas.bytes.hashValue ?? 0)
        } catch {
            return .error(error)
        }
    }

    @Test(.needsPillow) func otherPlayersShowTheSameFrames() throws {
        let pictures = try IndependentDecoders.pictures("webp").filter { $0.frames.count > 1 }

        for picture in pictures {
            let shown = try frames(picture.file)
            try #require(shown.count == picture.frames.count, "\(picture.name)")
            for (index, frame) in shown.enumerated() {
                let difference = picture.difference(frame.canvas.bytes, frame: index)
                #expect(difference <= picture.tolerance, "\(picture.name), frame \(index)")
            }
            #expect(shown.allSatisfy { $0.frame.delayMilliseconds == 70 })
        }
        #expect(pictures.count == 3)
    }

    @Test func grayProfileNeedsFramesThatAreAllGray() throws {
        let gray = SIMD4<UInt8>(128, 128, 128, 255)
        let profile = TestWebP.chunk("ICCP", TestICC.gray(gamma: 1.8).bytes)
        func first(_ second: SIMD4<UInt8>) throws -> [UInt8] {
            let frames = [gray, second].map { Frame(width: 8, height: 8, color: $0) }
            var file = try TestWebP.animation(frames)
            file[20] |= 0x20
            file.replaceSubrange(30..<30, with: profile)
            file.replaceSubrange(4..<8, with: RIFF.little(file.count - 8, 4))
            return try self.frames(file)[0].canvas[0, 0]
        }

        #expect(try first(SIMD4(9, 9, 9, 255)) == [146, 146, 146, 255])
        #expect(try first(SIMD4(9, 9, 90, 255)) == [128, 128, 128, 255])
    }

    @Test func framesAreLaidOverOrReplaceOrVanish() throws {
        let half = SIMD4<UInt8>(0, 0, 255, 128)
        let file = try TestWebP.animation([
            Frame(width: 8, height: 8),
            Frame(x: 2, y: 2, color: half, isDisposed: true),
            Frame(x: 4, y: 4, color: half, isBlended: false),
            Frame(x: 0, y: 6, width: 2, height: 2, color: .zero),
        ])

        let shown = try frames(file).map(\.canvas)

        #expect(shown[0][3, 3] == red)
        #expect(shown[1][3, 3] == [127, 0, 128, 255])
        #expect([shown[2][3, 3], shown[2][5, 5]] == [clear, [0, 0, 255, 128]])
        #expect([shown[3][0, 7], shown[3][3, 3], shown[3][7, 0]] == [red, clear, red])
    }

    @Test func changedAreasAreTold() throws {
        let file = try TestWebP.animation([
            Frame(width: 8, height: 8), Frame(x: 2, y: 2, width: 2, height: 2, isDisposed: true),
            Frame(x: 6, y: 6, width: 2, height: 2),
        ])

        let areas = try frames(file).map(\.frame.changed)

        #expect(areas[1] == PixelRectangle(x: 2, y: 2, width: 2, height: 2))
        #expect(areas[2] == PixelRectangle(x: 2, y: 2, width: 6, height: 6))
    }

    @Test func shortDelaysAreThoseOfBrowsers() throws {
        let file = try TestWebP.animation(
            [0, 10, 11, 250].map { Frame(milliseconds: $0) }, loops: 3)

        let decoder = try WebPMovingDecoder(SourceBytes(file), limits: DecodeLimits())

        #expect(try frames(file).map(\.frame.delayMilliseconds) == [100, 100, 11, 250])
        #expect(decoder.durationMilliseconds == 461 && decoder.loopCount == 3)
    }

    @Test func rewindingShowsTheSameAgain() throws {
        let file = try TestWebP.animation([
            Frame(width: 8, height: 8, isDisposed: true), Frame(color: SIMD4(1, 2, 3, 4)),
        ])
        let decoder = try WebPMovingDecoder(SourceBytes(file), limits: DecodeLimits())
        func last() throws -> [UInt8] {
            while try decoder.next() != nil {}
            return decoder.withCanvas { Array($0) }
        }

        let once = try last()
        try decoder.rewind()

        #expect(try last() == once && once.contains { $0 != 0 })
    }

    @Test func cutAnimationsGiveNoPixels() throws {
        let file = try TestWebP.animation([Frame(), Frame(x: 2, y: 2), Frame(isDisposed: true)])
        expectNoPixelsFromAnyPrefix(of: file, ending)
    }

    @Test func damagedAnimationsEndTheSameEveryTime() throws {
        let file = try TestWebP.animation([Frame(), Frame(x: 2, y: 2), Frame(isDisposed: true)])
        expectStableEndings(of: file, rounds: 500, ending)
    }

    @Test func framesOutsideTheCanvasAreRefused() throws {
        let file = try TestWebP.animation([Frame(), Frame(x: 2, y: 0)], width: 4, height: 4)
        #expect(failure(file)?.code == .malformed)
    }

    @Test func animationWithoutFramesIsRefused() throws {
        #expect(failure(try TestWebP.animation([]))?.code == .noFrames)
    }

    @Test func tooManyFramesOfAWebPAreRefusedBeforeDecoding() throws {
        var limits = DecodeLimits()
        limits.framesMax = 2
        let file = try TestWebP.animation([Frame(), Frame(), Frame()])

        let error = failure(file, limits: limits)

        #expect(error?.code == .tooManyFrames && error?.measured == "3 or more frames")
        limits = DecodeLimits()
        limits.totalPixelsMax = 2 * 64
        #expect(failure(file, limits: limits)?.code == .tooManyPixels)
    }
}
