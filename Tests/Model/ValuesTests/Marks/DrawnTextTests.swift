import StickerValues
import Testing

/// Pixels of texts have limits.
struct DrawnTextTests {
    @Test(arguments: [
        (PixelSize(width: 2048, height: 128), true), (PixelSize(width: 2049, height: 1), false),
        (PixelSize(width: 513, height: 512), false), (PixelSize(width: 0, height: 5), false),
        (PixelSize(width: -3, height: -3), false), (PixelSize(width: .max, height: .max), false),
    ])
    func sidesAndPixelsAreLimited(size: PixelSize, isAllowed: Bool) {
        #expect(DrawnText.allows(size) == isAllowed)
    }
}
