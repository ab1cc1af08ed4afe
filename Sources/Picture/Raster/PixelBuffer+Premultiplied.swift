public import StickerValues

extension PixelBuffer {
    /// Straight pixels of rows as Cairo draws them: CAIRO_FORMAT_ARGB32, premultiplied.
    ///
    /// The colour of nearly transparent pixels cannot be recovered. Those that may have `color` get it exactly.
    ///
    /// - Parameters:
    ///   - rows: the first of `size.height` rows.
    ///   - stride: bytes between the starts of two rows.
    ///   - size: in pixels.
    ///   - color: in levels of 8 bits; `nil` if none is expected.
    public init(
        premultiplied rows: UnsafeRawPointer, stride: Int, size: PixelSize,
        near color: SIMD3<UInt8>? = nil
    ) {
        self.init(size: size)
        withUnsafeMutableBytes { target in
            for y in 0..<size.height {
                for x in 0..<size.width {
                    let pixel = rows.load(fromByteOffset: y * stride + x * 4, as: UInt32.self)
                    // Cairo leaves colours without alpha at the edges of patterns.
                    guard pixel >> 24 != 0 else { continue }
                    target.storeBytes(
                        of: straight(pixel, near: color),
                        toByteOffset: (y * size.width + x) * 4, as: SIMD4<UInt8>.self)
                }
            }
        }
    }
}

/// Straight RGBA of a pixel of CAIRO_FORMAT_ARGB32: premultiplied, alpha in the highest byte.
@inline(__always)
private func straight(_ pixel: UInt32, near color: SIMD3<UInt8>?) -> SIMD4<UInt8> {
    let alpha = Int32(pixel >> 24)
    let parts = SIMD3<Int32>(
        Int32(pixel >> 16 & 0xFF), Int32(pixel >> 8 & 0xFF), Int32(pixel & 0xFF))
    if let color {
        let expected = (SIMD3<Int32>(truncatingIfNeeded: color) &* alpha &+ 127) / 255
        let difference = parts &- expected
        let isNear = all(difference .>= -1) && all(difference .<= 1)
        guard !isNear else { return SIMD4(color, UInt8(alpha)) }
    }
    let levels = pointwiseMin((parts &* 255 &+ alpha / 2) / alpha, SIMD3(repeating: 255))
    return SIMD4(SIMD3<UInt8>(truncatingIfNeeded: levels), UInt8(alpha))
}
