/// Detects gray pictures in formats that cannot declare it.
enum GrayPixels {
    /// The largest difference between the samples of a gray pixel: libwebp rounds each separately when it converts
    /// lossy gray.
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
