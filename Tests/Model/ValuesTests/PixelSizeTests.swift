import StickerTestSupport
import StickerValues
import Testing

struct PixelSizeTests {
    @Test(arguments: [
        (1024, 1024, 512, 512), (1600, 1200, 512, 384), (1200, 1600, 384, 512),
        (100, 50, 512, 256), (512, 512, 512, 512), (1, 1, 512, 512),
        (16384, 1, 512, 1), (1, 16384, 1, 512), (511, 512, 511, 512),
        // 3 * 512 / 1024 is one and a half, which is rounded up.
        (1024, 3, 512, 2), (3, 1024, 2, 512),
    ])
    func fittedKeepsTheShape(width: Int, height: Int, fittedWidth: Int, fittedHeight: Int) {
        let fitted = PixelSize(width: width, height: height).scaled(into: .sticker)

        #expect(fitted == PixelSize(width: fittedWidth, height: fittedHeight))
    }

    @Test(arguments: [
        PixelSize(width: .max, height: .max), PixelSize(width: .max, height: 1),
        PixelSize(width: 1, height: .max), PixelSize(width: .max, height: .max - 1),
        PixelSize(width: 4_294_967_295, height: 4_294_967_295),
        PixelSize(width: 0, height: 0), PixelSize(width: 0, height: 100),
        PixelSize(width: -5, height: 7), PixelSize(width: .min, height: .min),
    ])
    func hostileSizesFitToo(size: PixelSize) {
        for box in [PixelSize.sticker, PixelSize(width: 1, height: 1), size] {
            let fitted = size.scaled(into: box)

            #expect(fitted.width >= 1 && fitted.width <= max(1, box.width))
            #expect(fitted.height >= 1 && fitted.height <= max(1, box.height))
        }
    }

    @Test func fittedTouchesTheBox() {
        var generator = SeededGenerator(seed: 512)
        for _ in 0..<2000 {
            let size = PixelSize(
                width: .random(in: 1...70000, using: &generator),
                height: .random(in: 1...70000, using: &generator))
            let box = PixelSize(
                width: .random(in: 1...1000, using: &generator),
                height: .random(in: 1...1000, using: &generator))

            let fitted = size.scaled(into: box)

            #expect(fitted.width == box.width || fitted.height == box.height, "\(size) in \(box)")
            #expect(fitted.width <= box.width && fitted.height <= box.height, "\(size) in \(box)")
        }
    }

    @Test func hugeSizesSaturateTheirPixelCount() {
        #expect(PixelSize(width: 640, height: 480).pixelCount == 307_200)
        #expect(PixelSize(width: .max, height: 2).pixelCount == .max)
    }

    @Test func transposingExchangesTheSides() {
        let size = PixelSize(width: 3, height: 7)

        #expect(size.transposed == PixelSize(width: 7, height: 3))
        #expect(size.longSide == 7)
        #expect("\(size)" == "3x7")
    }
}
