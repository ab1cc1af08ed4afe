import StickerCodecs
import StickerRaster
import StickerTestSupport
import StickerValues
import Testing

struct CoarseRedTests {
    @Test func onlyRedMovesAndByNoMoreThanItsRounding() {
        let noise = PixelBuffer.noise(PixelSize(width: 97, height: 61), opaque: false)

        let coarse = noise.withCoarseRed()

        for y in 0..<61 {
            for x in 0..<97 {
                let (before, after) = (noise[x, y], coarse[x, y])
                let isKept = before.y == after.y && before.z == after.z && before.w == after.w
                #expect(isKept && abs(Int(before.x) - Int(after.x)) <= 3, "\(x), \(y)")
            }
        }
    }

    @Test func smoothAndTransparentPlacesStayAsTheyAre() {
        let smooth = PixelBuffer.drawn(.sticker) { x, y in
            SIMD4(UInt8(x / 8), UInt8(200), 10, y < 256 ? 255 : 0)
        }

        let isSame = smooth.withCoarseRed().showsSame(as: smooth)

        #expect(isSame)
    }

    @Test(arguments: [1, 2])
    func pictureWithoutAnInsideStaysAsItIs(side: Int) {
        let tiny = PixelBuffer.noise(PixelSize(width: side, height: side))

        let isSame = tiny.withCoarseRed().showsSame(as: tiny)

        #expect(isSame)
    }

    @Test func photoTakesLess() throws {
        let photo = PixelBuffer.photo(.sticker)

        let before = try WebPEncoder(photo).lossless(level: 1).count
        let after = try WebPEncoder(photo.withCoarseRed()).lossless(level: 1).count

        #expect(after < before)
    }
}
