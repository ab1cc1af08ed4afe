import StickerRaster
import StickerTestSupport
import StickerValues
import Testing

private let side = PixelSize(width: 128, height: 128)

/// Pictures that are easy to get wrong.
private enum Subject: CaseIterable {
    case photo, disc, noise, flat, empty, seeThrough

    func drawn(_ size: PixelSize) -> PixelBuffer {
        switch self {
        case .photo: .photo(size)
        case .disc: .disc(size)
        case .noise: .noise(size, opaque: false)
        case .flat: .drawn(size) { _, _ in SIMD4(20, 200, 90, 255) }
        case .empty: PixelBuffer(size: size)
        case .seeThrough: .drawn(size) { _, _ in SIMD4(255, 0, 0, 128) }
        }
    }
}

struct PerceptualReferenceTests {
    @Test(arguments: Subject.allCases)
    private func equalPicturesScoreExactly100(subject: Subject) {
        for size in [PixelSize.sticker, side, PixelSize(width: 37, height: 90)] {
            let canvas = subject.drawn(size)

            let score = PerceptualReference(canvas).score(of: canvas.copy())

            #expect(score == 100)
        }
    }

    @Test(arguments: [(1, 1), (3, 2), (8, 8), (9, 31), (16, 17), (33, 8), (47, 64), (300, 9)])
    func picturesOfAnySizeCanBeCompared(width: Int, height: Int) {
        let size = PixelSize(width: width, height: height)
        let canvas = PixelBuffer.noise(size, seed: 1, opaque: false)
        let reference = PerceptualReference(canvas)

        let same = reference.score(of: canvas.copy())
        let other = reference.score(of: .noise(size, seed: 2, opaque: false))

        #expect(same == 100)
        #expect((0..<60).contains(other))
    }

    @Test func nothingIsWorseThanBlackForWhite() {
        let canvas = PixelBuffer.drawn(side) { _, _ in SIMD4(255, 255, 255, 255) }

        let score = PerceptualReference(canvas).score(
            of: .drawn(side) { _, _ in SIMD4(0, 0, 0, 255) })

        #expect(score == 0)
    }

    @Test func coloursThatAlphaHidesDoNotMatter() {
        let canvas = PixelBuffer.disc(side)
        let candidate = PixelBuffer.drawn(side) { x, y in
            canvas[x, y].w == 0 ? SIMD4(UInt8(x), UInt8(y), 77, 0) : canvas[x, y]
        }

        let score = PerceptualReference(canvas).score(of: candidate)

        #expect(score == 100)
    }

    @Test func blackIsEnoughForAFramedPicture() {
        let photo = PixelBuffer.photo(.sticker)
        let framed = { (shift: UInt8) in
            PixelBuffer.drawn(.sticker) { x, y in
                var pixel = photo[x, y]
                pixel.x = (x ^ y) & 3 == 0 ? pixel.x &+ shift : pixel.x
                pixel.w = (80..<430).contains(y) ? 255 : 0
                return pixel
            }
        }
        let canvas = framed(0)
        let candidate = framed(2)
        let isFramed = canvas.isFramedRectangle && canvas.hasAlpha(of: candidate)

        let onBoth = PerceptualReference(canvas).score(of: candidate)
        let onBlack = PerceptualReference(canvas, on: .black).score(of: candidate)

        #expect(isFramed)
        #expect(onBoth < 99 && abs(onBoth - onBlack) < 0.2, "\(onBoth), \(onBlack)")
    }

    @Test func onlyAnOpaqueRectangleCountsAsFramed() {
        let soft = PixelBuffer.disc(side)
        let whole = PixelBuffer.gradient(side)
        let strokes = PixelBuffer.drawn(side) { x, _ in
            x % 16 < 5 ? SIMD4(255, 255, 255, 255) : .zero
        }
        let empty = PixelBuffer(size: side)

        let told = [
            soft.isFramedRectangle, whole.isFramedRectangle, strokes.isFramedRectangle,
            empty.isFramedRectangle, soft.hasAlpha(of: whole),
        ]

        #expect(told == [false, true, false, false, false])
    }

    @Test(arguments: [false, true])
    func damageSeenOnOneBackgroundOnlyCounts(white: Bool) {
        let canvas = PixelBuffer.disc(side)
        let level: UInt8 = white ? 255 : 0
        let speckled = PixelBuffer.drawn(side) { x, y in
            canvas[x, y].w == 0 && (x + y).isMultiple(of: 5)
                ? SIMD4(level, level, level, 255) : canvas[x, y]
        }

        let score = PerceptualReference(canvas).score(of: speckled)

        #expect(score < 30)
    }

    @Test func lostTransparencyIsNotOverlooked() {
        let canvas = PixelBuffer.disc(side)
        let opaque = PixelBuffer.drawn(side) { x, y in canvas[x, y] | SIMD4(0, 0, 0, 255) }

        #expect(PerceptualReference(canvas).score(of: opaque) < 30)
    }

    /// The expected scores are those of the Python package `ssimulacra2` 0.3.0 for the same pixels, the
    /// lower of white and black.
    @Test func scoresAgreeWithSSIMULACRA2() {
        let odd = PixelSize(width: 301, height: 263)
        let reduced = PixelSize(width: 200, height: 200)
        let photo = PixelBuffer.photo(odd)
        let disc = PixelBuffer.disc(odd)
        let small = PixelBuffer.disc(PixelSize(width: 64, height: 64))

        let onPhoto = PerceptualReference(photo)
        #expect(abs(onPhoto.score(of: posterized(photo, step: 16)) - 56.52) < 1)
        #expect(abs(onPhoto.score(of: noisy(photo, by: 8)) - 71.81) < 1)
        let softPhoto = photo.resampled(to: reduced).resampled(to: odd)
        #expect(abs(onPhoto.score(of: softPhoto) - 79.73) < 1)

        let onDisc = PerceptualReference(disc)
        #expect(abs(onDisc.score(of: posterized(disc, step: 48)) - 39.68) < 1)
        #expect(abs(onDisc.score(of: posterized(disc, step: 4)) - 94.72) < 1)
        #expect(abs(onDisc.score(of: noisy(disc, by: 8)) - 74.33) < 1)
        let softDisc = disc.resampled(to: reduced).resampled(to: odd)
        #expect(abs(onDisc.score(of: softDisc) - 79.04) < 1)

        let onLargeCanvas = PerceptualReference(small.copy().centered(on: .sticker))
        let damaged = posterized(small, step: 48).centered(on: .sticker)
        #expect(abs(onLargeCanvas.score(of: damaged) - 75.09) < 1)
    }

    @Test(arguments: [true, false])
    func moreNoiseScoresLower(opaque: Bool) {
        let canvas = opaque ? PixelBuffer.photo(side) : PixelBuffer.disc(side)
        let reference = PerceptualReference(canvas)

        let scores = [0, 1, 2, 4, 8, 16, 32].map { reference.score(of: noisy(canvas, by: $0)) }

        #expect(scores == scores.sorted(by: >))
        #expect(Set(scores).count == scores.count)
        #expect((80..<100).contains(scores[1]))
    }

    @Test(arguments: [true, false])
    func moreBlurScoresLower(opaque: Bool) {
        let canvas = opaque ? PixelBuffer.photo(side) : PixelBuffer.disc(side)
        let reference = PerceptualReference(canvas)

        let scores = [1, 0.8, 0.6, 0.4, 0.2].map { share in
            let reduced = PixelSize(
                width: Int(Double(side.width) * share), height: Int(Double(side.height) * share))
            return reference.score(of: canvas.resampled(to: reduced).resampled(to: side))
        }

        #expect(scores == scores.sorted(by: >))
        #expect(Set(scores).count == scores.count)
    }

    @Test func coarserLevelsScoreLower() {
        let canvas = PixelBuffer.photo(side)
        let reference = PerceptualReference(canvas)

        let scores = [1, 4, 8, 16, 32, 64].map { reference.score(of: posterized(canvas, step: $0)) }

        #expect(scores == scores.sorted(by: >))
        #expect(scores[0] == 100)
    }

    @Test(arguments: [Orientation.upMirrored, .down, .downMirrored])
    func mirroredPicturesScoreTheSame(orientation: Orientation) {
        let canvas = PixelBuffer.disc(side)
        let candidate = noisy(canvas, by: 9)
        let upright = PerceptualReference(canvas).score(of: candidate)

        let turned = PerceptualReference(canvas.copy().oriented(orientation))
            .score(of: candidate.copy().oriented(orientation))

        #expect(abs(upright - turned) < 0.01)
    }

    @Test func scoresDoNotDependOnWhatWasScoredBefore() {
        let canvas = PixelBuffer.photo(side)
        let candidate = posterized(canvas, step: 8)
        let reference = PerceptualReference(canvas)
        let first = reference.score(of: candidate)

        _ = reference.score(of: .noise(side))

        #expect(reference.score(of: candidate) == first)
        #expect(PerceptualReference(canvas).score(of: candidate) == first)
    }
}

/// Each visible channel moved by at most `amount`, at random.
private func noisy(_ picture: borrowing PixelBuffer, by amount: Int) -> PixelBuffer {
    var generator = SeededGenerator(seed: 7)
    var result = picture.copy()
    for y in 0..<picture.size.height {
        for x in 0..<picture.size.width where picture[x, y].w > 0 {
            var pixel = SIMD4<Int>(truncatingIfNeeded: picture[x, y])
            for channel in 0..<3 {
                pixel[channel] += .random(in: -amount...amount, using: &generator)
            }
            result[x, y] = SIMD4<UInt8>(clamping: pixel)
        }
    }
    return result
}

/// Each channel, alpha too, rounded down to a multiple of `step`; 255 stays.
private func posterized(_ picture: borrowing PixelBuffer, step: UInt8) -> PixelBuffer {
    var result = picture.copy()
    for y in 0..<picture.size.height {
        for x in 0..<picture.size.width {
            for channel in 0..<4 where picture[x, y][channel] < 255 {
                result[x, y][channel] = picture[x, y][channel] / step * step
            }
        }
    }
    return result
}
