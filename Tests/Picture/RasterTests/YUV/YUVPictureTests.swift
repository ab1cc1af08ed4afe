import StickerRaster
import StickerTestSupport
import StickerValues
import Testing

struct YUVPictureTests {
    /// One colour everywhere, and what RFC 6386 (9.2) and BT.601 make of it.
    @Test(arguments: [
        (SIMD4<UInt8>(255, 255, 255, 255), 235, 128, 128), (SIMD4(0, 0, 0, 255), 16, 128, 128),
        (SIMD4(255, 0, 0, 255), 81, 90, 240), (SIMD4(0, 255, 0, 255), 145, 54, 34),
        (SIMD4(0, 0, 255, 255), 41, 240, 110), (SIMD4(128, 128, 128, 255), 126, 128, 128),
    ])
    func plainColourIsThatOfTheFormula(color: SIMD4<UInt8>, luma: Int, blue: Int, red: Int) {
        let picture = YUVPicture(.drawn(PixelSize(width: 33, height: 17)) { _, _ in color })

        #expect(picture.chromaSize == PixelSize(width: 17, height: 9))
        #expect(picture.luma.count == 33 * 17 && picture.blueDifference.count == 17 * 9)
        #expect(picture.luma.allSatisfy { abs(Int($0) - luma) <= 1 })
        #expect(picture.blueDifference.allSatisfy { abs(Int($0) - blue) <= 1 })
        #expect(picture.redDifference.allSatisfy { abs(Int($0) - red) <= 1 })
    }

    /// Red beside green, the edge inside a square: a decoder shows both with a mixed colour, and what
    /// is wrong in luminance is put right in brightness.
    @Test func edgeBetweenBrightColoursKeepsItsLuminance() {
        let (red, green) = (SIMD3(230.0, 30, 30), SIMD3(30.0, 160, 30))
        let edge = PixelBuffer.drawn(PixelSize(width: 32, height: 32)) { x, _ in
            let color = x < 15 ? red : green
            return SIMD4(UInt8(color.x), UInt8(color.y), UInt8(color.z), 255)
        }

        let picture = YUVPicture(edge)

        for (x, wanted) in [(14, red), (15, green)] {
            let shown = decoded(picture, x: x, y: 16)
            let ratio = luminance(shown) / luminance(wanted)
            #expect((0.93...1.07).contains(ratio), "column \(x): \(shown), \(ratio)")
        }
    }

    private func luminance(_ color: SIMD3<Double>) -> Double {
        (color * color * SIMD3(0.265, 0.657, 0.078)).sum()
    }

    /// The output of a decoder that mixes the colours of neighbouring squares 3 to 1; all rows alike.
    private func decoded(_ picture: YUVPicture, x: Int, y: Int) -> SIMD3<Double> {
        let near = y / 2 * picture.chromaSize.width + x / 2
        let far = near + (x.isMultiple(of: 2) ? -1 : 1)
        func mixed(_ samples: [UInt8]) -> Double {
            (3 * Double(samples[near]) + Double(samples[far])) / 4 - 128
        }
        let (blue, red) = (mixed(picture.blueDifference), mixed(picture.redDifference))
        let light = 1.164 * (Double(picture.luma[y * picture.size.width + x]) - 16)
        let color = SIMD3(
            light + 1.596 * red, light - 0.813 * red - 0.391 * blue, light + 2.018 * blue)
        return color.clamped(lowerBound: .zero, upperBound: SIMD3(repeating: 255))
    }

    @Test func coloursUnderTransparencyDoNotReachVisibleOnes() {
        let size = PixelSize(width: 32, height: 32)
        func half(_ hidden: SIMD4<UInt8>) -> YUVPicture {
            YUVPicture(.drawn(size) { x, _ in x < 15 ? SIMD4(200, 100, 50, 255) : hidden })
        }

        let (black, pink) = (half(SIMD4(0, 0, 0, 0)), half(SIMD4(255, 0, 255, 0)))

        for y in 0..<32 {
            let (one, other) = (black.luma[(y * 32)...], pink.luma[(y * 32)...])
            #expect(one.prefix(15).elementsEqual(other.prefix(15)))
        }
    }

    @Test(arguments: [1, 2, 3, 7, 8, 9, 16, 511])
    func everyWidthHasItsSamples(width: Int) {
        let picture = YUVPicture(.noise(PixelSize(width: width, height: 5), opaque: false))

        #expect(picture.luma.count == width * 5)
        #expect(picture.redDifference.count == (width + 1) / 2 * 3)
        #expect(picture.luma.allSatisfy { (16...235).contains($0) })
    }
}
