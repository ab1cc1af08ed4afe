import CPango
import StickerModel
import StickerRaster

/// A picture that Cairo draws on. Corresponds to `cairo_surface_t`.
struct CairoImage: ~Copyable {
    private let surface: OpaquePointer
    private let size: PixelSize

    /// A transparent picture.
    init(_ size: PixelSize) {
        self.size = size
        surface = cairo_image_surface_create(
            CAIRO_FORMAT_ARGB32, Int32(size.width), Int32(size.height))
    }

    deinit { cairo_surface_destroy(surface) }

    /// Lends a `cairo_t`. What fails shows in `pixels`.
    func draw(_ body: (OpaquePointer) -> Void) {
        let cairo: OpaquePointer = cairo_create(surface)
        body(cairo)
        cairo_destroy(cairo)
        cairo_surface_flush(surface)
    }

    /// The pixels, straight; `nil` if memory was short.
    ///
    /// Of pixels that hardly cover anything a colour cannot be told from what is multiplied by alpha. Those that may
    /// have `color` get it exactly.
    func pixels(near color: SIMD3<UInt8>? = nil) -> PixelBuffer? {
        guard cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS,
            let bytes = cairo_image_surface_get_data(surface)
        else { return nil }
        let stride = Int(cairo_image_surface_get_stride(surface))
        let rows = UnsafeRawPointer(bytes)
        var pixels = PixelBuffer(size: size)
        pixels.withUnsafeMutableBytes { target in
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
        return pixels
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
