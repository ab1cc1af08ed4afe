import StickerRaster
import StickerValues
import Testing

@testable import StickerCodecs

struct GIFEncoderTimingTests {
    /// Encodes one pixel whose red tells the number of the frame.
    /// - Returns: number and delay of each frame of the file.
    private func play(_ milliseconds: [Int], stepMin: Int = 20) throws -> [[Int]] {
        let encoder = try GIFEncoder(
            size: PixelSize(width: 1, height: 1), matte: SIMD3(0, 0, 0),
            frameMillisecondsMin: stepMin)
        for (number, milliseconds) in milliseconds.enumerated() {
            let dot = picture(1, 1) { _, _ in SIMD4(UInt8(number), 0, 0, 255) }
            try encoder.add(frame: dot, durationMilliseconds: milliseconds)
        }
        let file = try #require(try encoder.finish())
        return try decodeAnimation(SourceBytes(file)).map {
            [Int($0.canvas.bytes[0]), $0.frame.delayMilliseconds]
        }
    }

    private func total(_ frames: [[Int]]) -> Int { frames.reduce(0) { $0 + $1[1] } }

    @Test func tensOfMillisecondsAreKept() throws {
        #expect(try play([20, 100, 30]) == [[0, 20], [1, 100], [2, 30]])
    }

    @Test func roundingErrorsDoNotAddUp() throws {
        let frames = try play([Int](repeating: 33, count: 30))

        #expect(frames.count == 30)
        #expect(Set(frames.map { $0[1] }) == [30, 40])
        #expect(total(frames) == 990)
    }

    @Test(arguments: [1, 5, 8, 13, 17, 21, 26, 47])
    func shortFramesAreMergedAndTheTimeIsKept(milliseconds: Int) throws {
        let frames = try play([Int](repeating: milliseconds, count: 200))

        #expect(abs(total(frames) - 200 * milliseconds) <= 5)
        #expect(frames.allSatisfy { $0[1] >= 20 })
    }

    @Test func longestOfShortFramesIsShown() throws {
        #expect(try play([10, 500, 30]) == [[1, 510], [2, 30]])
        #expect(
            try play([40, 10, 40]) == [[0, 40], [1, 10 + 40]].map { $0[0] == 1 ? [2, 50] : $0 })
    }

    @Test func lastFrameTooShortGoesToTheOneInFront() throws {
        #expect(try play([100, 10]) == [[0, 110]])
        #expect(try play([100, 100, 10]) == [[0, 100], [1, 110]])
    }

    @Test func aloneAFrameLastsAtLeastTwentyMilliseconds() throws {
        #expect(try play([5]) == [[0, 20]])
        #expect(try play([0]) == [[0, 20]])
        #expect(try play([-7]) == [[0, 20]])
    }

    @Test func longFramesEndAtTheLargestNumber() throws {
        #expect(try play([1_000_000, 40]) == [[0, 655_350], [1, 40]])
    }

    @Test func coarserStepsAreKept() throws {
        let frames = try play([Int](repeating: 20, count: 50), stepMin: 80)

        #expect(frames.allSatisfy { $0[1] >= 80 })
        #expect(total(frames) == 1000)
    }

    @Test func replacedFramesLeaveNoTrace() throws {
        // Given a frame too short to be seen that would have kept what its successor takes away
        let encoder = try GIFEncoder(size: PixelSize(width: 2, height: 1), matte: SIMD3(0, 0, 0))
        let pictures: [(SIMD4<UInt8>, Int)] = [
            (SIMD4(1, 1, 1, 255), 100), (SIMD4(2, 2, 2, 255), 10), (SIMD4(0, 0, 0, 0), 100),
        ]
        for (left, milliseconds) in pictures {
            let frame = picture(2, 1) { x, _ in x == 0 ? left : SIMD4(5, 5, 5, 255) }
            try encoder.add(frame: frame, durationMilliseconds: milliseconds)
        }

        let file = try #require(try encoder.finish())

        let shown = try decodeAnimation(SourceBytes(file))
        #expect(shown.map { $0.canvas[0, 0] } == [[1, 1, 1, 255], [0, 0, 0, 0]])
        #expect(shown.map { $0.canvas[1, 0] } == [[5, 5, 5, 255], [5, 5, 5, 255]])
    }
}
