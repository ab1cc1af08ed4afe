import StickerCodecs
import StickerContainers
import StickerRaster
import StickerTestSupport
import StickerValues
import Testing

@testable import StickerPipeline

/// Animated WebP with loss: what its frames draw, which of them get the bytes, and which alpha plane.
struct LossyAnimationTests {
    private let size = PixelSize(width: 160, height: 160)

    /// An animation of frames that are drawn by number, on a canvas of the same size.
    private func source(
        frames: Int, size: PixelSize = PixelSize(width: 160, height: 160),
        _ draw: (Int) -> PixelBuffer
    ) throws -> (AnimationSource, Timeline) {
        let encoder = try APNGEncoder(size: size, loopCount: 0)
        for number in 0..<frames { try encoder.add(frame: draw(number), durationMilliseconds: 100) }
        let file = try #require(try encoder.finish())
        let source = AnimationSource(
            try APNGDecoder(SourceBytes(file), limits: DecodeLimits()),
            Drawing(
                scale: Scale(size: size, filter: .lanczos3), canvasSize: size, stages: []),
            budget: WorkBudget(DecodeLimits()), clock: .thread)
        return (source, try source.survey().timeline)
    }

    /// A photo on which a small square wanders to the right.
    private func wandering(_ number: Int) -> PixelBuffer {
        var frame = PixelBuffer.photo(size)
        for y in 40..<60 {
            for x in (number * 20)..<(number * 20 + 16) { frame[x, y] = SIMD4(250, 20, 20, 255) }
        }
        return frame
    }

    @Test func filePlaysWhatWasDrawn() throws {
        let (source, timeline) = try source(frames: 6, wandering)
        let animation = try LossyAnimation(timeline, of: source)

        let file = try animation.file(quality: 90, alphaQuality: 100, loopCount: 3)

        #expect(
            WebPAudit.faults(in: file, canvas: size, frames: 6, durationMilliseconds: 600) == [])
        #expect(try WebPAnimationDecoder(file).loopCount == 3)
        var verification = Verification(encoding: Encoding(mode: .lossy), format: .webp)
        #expect(try verification.play(file, timeline, source).frames == 6)
        #expect(verification.score > 85)
    }

    /// The first frame is on the screen until the end, but for the square; when every frame replaces the one
    /// before, all are worth the same.
    @Test func whatIsSeenForLongGetsABetterQuality() throws {
        func firstFrame(_ draw: (Int) -> PixelBuffer) throws -> Int {
            let (source, timeline) = try source(frames: 6, draw)
            let file = try LossyAnimation(timeline, of: source)
                .file(quality: 50, alphaQuality: 100, loopCount: 0)
            return WebPAnimationEncoder.frameSizes(of: file)[0]
        }

        let lasting = try firstFrame(wandering)
        let passing = try firstFrame { $0 == 0 ? wandering(0) : .photo(size, seed: UInt64($0 + 1)) }

        #expect(lasting > passing)
    }

    @Test func sampleForetellsTheWhole() throws {
        let (source, timeline) = try source(frames: 30) { .photo(size, seed: UInt64($0 % 9 + 1)) }
        let animation = try LossyAnimation(timeline, of: source)

        for quality in [50.0, 80] {
            let foretold =
                try animation.colorBytes(quality) + animation.alphaBytes(100)
                + RIFF.animationBytes
            let file = try animation.file(quality: quality, alphaQuality: 100, loopCount: 0)
            #expect(abs(Double(foretold) / Double(file.count) - 1) < 0.1)
        }
    }

    /// A little smaller, and a little larger, takes some frames alone, and the more the further; the first, which is the
    /// largest, is the last of them.
    @Test func smallChangeOfTheQualityKeepsMostFrames() throws {
        let (source, timeline) = try source(frames: 30) { .photo(size, seed: UInt64($0 % 9 + 1)) }
        let animation = try LossyAnimation(timeline, of: source)
        func quality(_ indicesBetter: Double) -> Double {
            QuantizerIndex.quality(of: QuantizerIndex.of(quality: 80) - indicesBetter)
        }
        func sizes(
            _ indicesBetter: Double, _ qualities: ClosedRange<Double>? = 20...100
        ) throws -> [Int] {
            let file = try animation.file(
                quality: quality(indicesBetter), alphaQuality: 100, loopCount: 0,
                keepingMostIn: qualities)
            return WebPAnimationEncoder.frameSizes(of: file)
        }

        let usual = try sizes(0)
        let (better, best) = (try sizes(0.5), try sizes(1.5))
        let worse = try sizes(-0.5)

        func changed(_ other: [Int]) -> Set<Int> {
            Set(usual.indices.filter { usual[$0] != other[$0] })
        }
        #expect(2...10 ~= changed(better).count && changed(best).isSuperset(of: changed(better)))
        #expect(10...20 ~= changed(best).count && !changed(best).contains(0))
        #expect(changed(worse) == changed(better))
        let sums = [worse, usual, better, best].map { $0.reduce(0, +) }
        #expect(sums == sums.sorted())
        // At the bound itself all frames have it; none is worse.
        #expect(try changed(sizes(-1, quality(-1)...100)).count == 30)
        // Nor does any file depend on the one before unless that is wanted.
        let fresh = try LossyAnimation(timeline, of: source)
            .file(quality: quality(0.5), alphaQuality: 100, loopCount: 0)
        #expect(try sizes(0.5, nil) == WebPAnimationEncoder.frameSizes(of: fresh))
    }

    /// Areas that a blended patch leaves out stay as they were, to the pixel; odd sides are no special case.
    @Test func patchesChangeNothingBesideTheirSquares() throws {
        let size = PixelSize(width: 101, height: 75)
        let (source, timeline) = try source(frames: 2, size: size) { number in
            let photo = PixelBuffer.photo(size)
            return .drawn(size) { x, y in
                let isInside = (3..<9).contains(x) || (80..<101).contains(x)
                let isRed = number == 1 && isInside && (41..<48).contains(y)
                return isRed ? SIMD4(255, 0, 0, 255) : photo[x, y]
            }
        }

        let file = try LossyAnimation(timeline, of: source)
            .file(quality: 60, alphaQuality: 100, loopCount: 0)

        let decoder = try WebPAnimationDecoder(file)
        let (first, second) = (try #require(try decoder.next()), try #require(try decoder.next()))
        var (same, moved) = (0, 0)
        for y in 0..<75 {
            for x in 0..<101 where first.canvas[x, y] != second.canvas[x, y] {
                if x < 16 || x >= 80, (40..<48).contains(y) { moved += 1 } else { same += 1 }
            }
        }
        #expect(same == 0 && moved > 150)
        #expect(WebPAudit.faults(in: file, canvas: size, frames: 2) == [])
    }

    // MARK: The search

    /// A soft disc of noise that wanders: half its bytes are its alpha plane.
    private func ghost(_ number: Int) -> PixelBuffer {
        let noise = PixelBuffer.noise(size, seed: UInt64(number + 1))
        return .drawn(size) { x, y in
            let (dx, dy) = (x - 60 - 4 * number, y - 80)
            let distance = dx * dx + dy * dy
            let grain = Int(noise[x, y].x) / 16
            let alpha = UInt8(max(0, min(255, 330 - distance / 8 - grain)))
            return alpha == 0 ? .zero : SIMD4(40, 120 + noise[x, y].y / 8, 200, alpha)
        }
    }

    private func found(under target: Int, _ draw: (Int) -> PixelBuffer) throws -> FitAttempt? {
        let (source, timeline) = try source(frames: 8, draw)
        var fit = AnimationFit(source: source, target: target, qualityMin: 20)
        return try fit.search(timeline)
    }

    @Test func alphaPlaneIsExactWhereThereIsRoom() throws {
        let chosen = try #require(try found(under: 90_000, ghost))

        #expect(chosen.mode == .lossy && chosen.alphaQuality == 100)
    }

    /// A coarser alpha plane pays for better colours before these become bad, and the better score decides.
    @Test func alphaPlaneIsMadeCoarserWhereThatLooksBetter() throws {
        let chosen = try #require(try found(under: 45_000, ghost))

        #expect(chosen.mode == .lossy && chosen.alphaQuality < 100)
        #expect(chosen.bytes <= 45_000)
    }

    /// Transparent bars around a film are two values of alpha, of which no quality loses one.
    @Test func barsAroundAFilmLeaveOneAlphaPlane() throws {
        let chosen = try #require(
            try found(under: 12_000) { number in
                let film = wandering(number)
                return .drawn(size) { x, y in (30..<130).contains(y) ? film[x, y] : .zero }
            })

        #expect(chosen.mode == .lossy && chosen.alphaQuality == 100)
    }

    /// Without every other frame, a picture that blinks would stand still.
    @Test func framesThatMakeItMoveAreNotDropped() throws {
        let found = try found(under: 60_000) { .noise(size, seed: UInt64($0 % 2 + 1)) }

        #expect(found == nil)
    }

    /// Opaque patches with holes have an alpha plane of two values, which no quality changes.
    @Test func opaqueAnimationsHaveOneAlphaPlane() throws {
        let chosen = try #require(try found(under: 12_000, wandering))

        #expect(chosen.mode == .lossy && chosen.alphaQuality == 100)
        #expect(chosen.bytes <= 12_000 && chosen.bytes > 10_000)
    }

    // MARK: The loop filter

    /// Thin lines of bright colour that wander over dark grain, after a frame without any.
    private func lines(_ number: Int) -> PixelBuffer {
        let grain = PixelBuffer.noise(size, seed: UInt64(number + 1))
        return .drawn(size) { x, y in
            let dark = grain[x, y].x / 32
            let isRed = (x + y + 3 * number) % 12 < 2
            let isBlue = (x - y + 400) % 20 < 2
            guard number > 0, x < 120, isRed || isBlue else { return SIMD4(dark, dark, dark, 255) }
            return isRed ? SIMD4(255, 0, 60, 255) : SIMD4(0, 90, 255, 255)
        }
    }

    /// The profile of a frame's VP8 data, which is 0 with the normal loop filter and 1 with the simple one (RFC
    /// 6386, 9.1; libwebp writes 2 where there is nothing to filter).
    private func profiles(_ file: [UInt8]) throws -> Set<UInt8> {
        let walk = RIFF.walk(file, in: RIFF.headerBytes..<file.count)
        let frames = walk.chunks.filter { $0.tag == "ANMF" }
        return Set(
            try frames.map { frame in
                let parts = RIFF.walk(
                    file, in: (frame.payload.lowerBound + 16)..<frame.payload.upperBound)
                let color = try #require(parts.chunks.first { $0.tag == "VP8 " })
                return file[color.payload.lowerBound] >> 1 & 7
            }
        ).subtracting([2])
    }

    /// The normal filter smooths away thin lines of bright colour; on soft shapes it hides the blocks.
    @Test func filterFollowsTheArt() throws {
        let bright = try #require(try found(under: 30_000, lines))
        let soft = try #require(try found(under: 45_000, ghost))

        #expect(bright.mode == .lossy, "\(bright.record)")
        #expect(try profiles(bright.file) == [1], "\(bright.record)")
        #expect(try profiles(soft.file) == [0], "\(soft.record)")
    }

    /// There is nothing to smooth, so nothing is tested; nor does an earlier choice last.
    @Test func filterIsNormalWhereQualityIsHigh() throws {
        let (source, timeline) = try source(frames: 4, lines)
        let animation = try LossyAnimation(timeline, of: source)

        try animation.chooseFilter(quality: 30, alphaQuality: 100)
        #expect(animation.filter == .simple)
        try animation.chooseFilter(quality: 95, alphaQuality: 100)
        #expect(animation.filter == .normal)
    }

    // MARK: Sizes between those that were measured

    @Test func measuredCurveIsStraightInTheLogarithm() {
        var curve = MeasuredCurve()
        curve.note(1000, quality: 50)
        #expect(curve.bytes(quality: 50).rounded() == 1000)
        #expect(curve.bytes(quality: 80) > 1000)

        curve.note(4000, quality: 90)
        let half = (QuantizerIndex.of(quality: 50) + QuantizerIndex.of(quality: 90)) / 2
        #expect(curve.bytes(quality: QuantizerIndex.quality(of: half)).rounded() == 2000)
        #expect(curve.bytes(quality: 90).rounded() == 4000)
        #expect(curve.bytes(quality: 95) > 4000 && curve.bytes(quality: 40) < 1000)

        curve.shape = .straight(slope: 0)
        #expect(curve.bytes(quality: 95).rounded() == 4000)
    }
}
