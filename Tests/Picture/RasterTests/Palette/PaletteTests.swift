import Glibc
import StickerTestSupport
import StickerValues
import Testing

@testable import StickerRaster

struct PaletteTests {
    @Test func coloursAreCounted() {
        let (hasDrawingFew, hasPhotoFew) = (
            PixelBuffer.checkerboard(.sticker).hasAtMost(colors: 256),
            PixelBuffer.photo(.sticker).hasAtMost(colors: 256)
        )
        // Each transparent pixel has colours of its own, which are never written.
        let hidden = PixelBuffer.drawn(.sticker) { x, y in
            SIMD4(UInt8(x & 255), UInt8(y & 255), 77, 0)
        }
        let isHiddenOne = hidden.hasAtMost(colors: 1)

        #expect(hasDrawingFew && !hasPhotoFew && isHiddenOne)
    }

    @Test(arguments: [0, 511])
    func oneRowOfManyColoursIsEnough(row: Int) {
        let noise = PixelBuffer.noise(.sticker)
        let picture = PixelBuffer.drawn(.sticker) { x, y in
            y == row ? noise[x, y] : SIMD4(10, 20, 30, 255)
        }

        let isFew = picture.hasAtMost(colors: 256)

        #expect(!isFew)
    }

    /// Names a picture, so that test arguments can be listed.
    enum Sample: CaseIterable {
        case drawing, gradient, photo, soft, noise

        var picture: PixelBuffer {
            let size = PixelSize(width: 160, height: 120)
            return switch self {
            case .drawing: Self.drawing(size)
            case .gradient: .gradient(size)
            case .photo: .photo(size)
            case .soft: Self.soft(size)
            case .noise: .noise(size, opaque: false)
            }
        }

        /// A shaded ball with dark eyes, soft edges, and nothing around it.
        private static func drawing(_ size: PixelSize) -> PixelBuffer {
            .drawn(size) { x, y in
                let (left, top) = (Double(x) - 80, Double(y) - 60)
                let alpha = min(1, max(0, 55 - hypot(left, top)))
                let eye = min(1, max(0, hypot(abs(left) - 20, top + 15) - 9))
                let light = eye * (1 - 0.3 * min(1, max(0, (top + 30) / 80)))
                let color = SIMD3(250, 200, 60) * light
                return alpha == 0
                    ? .zero
                    : SIMD4(UInt8(color.x), UInt8(color.y), UInt8(color.z), UInt8(alpha * 255))
            }
        }

        /// Colours that change everywhere, and alpha that fades to the edges.
        private static func soft(_ size: PixelSize) -> PixelBuffer {
            .drawn(size) { x, y in
                let alpha = UInt8(255 * max(0, 1 - hypot(Double(x) - 80, Double(y) - 60) / 60))
                let red = UInt8(128 + 127 * sin(Double(x) / 15))
                return alpha == 0 ? .zero : SIMD4(red, UInt8(y * 2), 180, alpha)
            }
        }
    }

    private func pixels(_ picture: borrowing PixelBuffer) -> [UInt32] {
        picture.withUnsafeBytes { Array($0.bindMemory(to: UInt32.self)) }
    }

    /// A picture whose pixels run through `colors`.
    private func striped(_ colors: [SIMD4<UInt8>]) -> PixelBuffer {
        .drawn(PixelSize(width: 40, height: 30)) { x, y in colors[(y * 40 + x) % colors.count] }
    }

    private func colors(_ count: Int) -> [SIMD4<UInt8>] {
        (0..<count).map { SIMD4(UInt8($0 & 255), UInt8($0 * 7 & 255), 9, UInt8($0 >> 8) &- 1) }
    }

    @Test(arguments: Sample.allCases, [2, 3, 16, 100, 255, 256])
    func colorsAreNotMoreThanWasAsked(sample: Sample, count: Int) {
        let reduced = sample.picture.reduced(toColors: count)

        let found = Set(pixels(reduced)).count
        #expect((2...count).contains(found))
        #expect(sample == .drawing || found > count / 2)
    }

    @Test(arguments: [2, 17, 256]) func picturesOfFewColorsStay(count: Int) {
        let few = striped(colors(count))

        let same = few.reduced(toColors: count)

        #expect(pixels(same) == pixels(few))
    }

    @Test func oneColorTooManyIsReduced() {
        let reduced = striped(colors(257)).reduced(toColors: 256)

        #expect(Set(pixels(reduced)).count <= 256)
    }

    @Test(arguments: Sample.allCases, [2, 8, 256])
    func transparencyAndOpacityStay(sample: Sample, count: Int) {
        let picture = sample.picture
        let reduced = picture.reduced(toColors: count)

        for (before, after) in zip(pixels(picture), pixels(reduced)) {
            let (old, new) = (PaletteColor.alpha(before), PaletteColor.alpha(after))
            if old == 0 { #expect(after == 0) }
            if old == 255, count > 2 { #expect(new == 255) }
        }
    }

    @Test func flatAreasStayFlat() {
        // Given a gradient between white paper and a flat block
        let white = SIMD4<UInt8>(255, 255, 255, 255)
        let block = SIMD4<UInt8>(13, 77, 201, 255)
        let picture = PixelBuffer.drawn(PixelSize(width: 300, height: 100)) { x, y in
            switch x {
            case ..<100: white
            case ..<200: SIMD4(UInt8(x), UInt8(y * 2), UInt8((x + y) / 2), 255)
            default: block
            }
        }

        let reduced = picture.reduced(toColors: 32)

        for y in 0..<100 {
            for x in 0..<100 { #expect(reduced[x, y] == white) }
            for x in 200..<300 { #expect(reduced[x, y] == block) }
        }
    }

    @Test func colorsAreRightOnAverage() {
        let picture = PixelBuffer.gradient(PixelSize(width: 128, height: 128))

        let reduced = picture.reduced(toColors: 8, diffusing: 1)

        for (left, top) in [(20, 20), (50, 70), (80, 40)] {
            var sums = (SIMD4<Int32>.zero, SIMD4<Int32>.zero)
            for y in top..<(top + 24) {
                for x in left..<(left + 24) {
                    sums.0 &+= SIMD4<Int32>(truncatingIfNeeded: picture[x, y])
                    sums.1 &+= SIMD4<Int32>(truncatingIfNeeded: reduced[x, y])
                }
            }
            let off = (sums.0 &- sums.1) / (24 * 24)
            #expect((0..<3).allSatisfy { abs(off[$0]) <= 6 }, "\(off) at \(left),\(top)")
        }
    }

    @Test(arguments: Sample.allCases) func equalPicturesGiveEqualPixels(sample: Sample) {
        let reductions = (0..<2).map { _ in pixels(sample.picture.reduced(toColors: 40)) }

        #expect(reductions[0] == reductions[1])
    }

    @Test(
        arguments: [(.drawing, 32, 90), (.photo, 256, 85), (.soft, 256, 60)]
            as [(Sample, Int, Double)])
    func diffusingErrorsLooksBetter(sample: Sample, count: Int, scoreMin: Double) {
        let picture = sample.picture
        let reference = PerceptualReference(picture)

        let diffused = reference.score(of: picture.reduced(toColors: count))
        let nearest = reference.score(of: picture.reduced(toColors: count, diffusing: 0))

        #expect(diffused > nearest)
        #expect(diffused > scoreMin)
    }

    @Test(arguments: [Sample.drawing, .photo, .soft])
    func errorOfAPaletteIsForetold(sample: Sample) {
        let picture = sample.picture
        let flat = pixels(picture.reduced(toColors: 64, diffusing: 0))
        let squares = zip(pixels(picture), flat).map { pixel, shown in
            let step = PaletteColor.place(of: pixel) - PaletteColor.place(of: shown)
            return Double((step * step).sum())
        }
        let error = (squares.reduce(0, +) / Double(squares.count)).squareRoot()

        #expect((0.4...1.1).contains(picture.paletteError(colors: 64) / error))
        #expect(picture.paletteError(colors: 256) < picture.paletteError(colors: 64))
        #expect(striped(colors(256)).paletteError(colors: 256) == 0)
    }

    @Test func theSmallestPicturesAreFine() {
        for (width, height) in [(1, 1), (1, 300), (300, 1), (2, 200)] {
            let noise = PixelBuffer.noise(PixelSize(width: width, height: height), opaque: false)

            #expect(Set(pixels(noise.reduced(toColors: 5))).count <= 5)
        }
    }

    @Test func everyColorIsNearestToItself() {
        var numbers = SeededGenerator(seed: 3)
        for _ in 0..<10_000 {
            let alpha = UInt32.random(in: 1...255, using: &numbers)
            let pixel = UInt32(
                littleEndian: UInt32.random(in: 0...0xFF_FFFF, using: &numbers) | alpha << 24)

            let back = PaletteColor.pixel(at: PaletteColor.place(of: pixel))

            #expect(back == pixel)
        }
    }

    @Test func theNearestPlaceIsFound() {
        var numbers = SeededGenerator(seed: 4)
        func place() -> SIMD4<Float> {
            PaletteColor.place(of: UInt32.random(in: 0...UInt32.max, using: &numbers))
        }
        let places = (0..<256).map { _ in place() }
        var nearest = NearestPlace(places)

        for _ in 0..<20_000 {
            let wanted = place()
            let found = squaredDistance(places[nearest.index(of: wanted)], wanted)
            #expect(found == places.map { squaredDistance($0, wanted) }.min())
        }
    }
}
