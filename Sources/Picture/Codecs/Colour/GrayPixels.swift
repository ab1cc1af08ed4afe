/// Finds out whether a picture is gray, in formats that cannot say so.
enum GrayPixels {
    /// How far the samples of a gray pixel may be apart: libwebp rounds each by itself when it converts gray that
    /// was stored with loss.
    private static let toleranceMax = 2

    /// Whether all of `pixels`, RGBA with 8 bits a sample, are gray as far as they can be seen.
    static func areAll(in pixels: UnsafeRawBufferPointer) -> Bool {
        let pixels = pixels.assumingMemoryBound(to: SIMD4<UInt8>.self)
        return pixels.allSatisfy { pixel in
            let (low, high) = (min(pixel.x, pixel.y, pixel.z), max(pixel.x, pixel.y, pixel.z))
            return pixel.w == 0 || Int(high) - Int(low) <= toleranceMax
        }
    }
}
