import CPango
import StickerRaster
import StickerValues

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

    /// Lends a `cairo_t`. Failures show in `pixels`.
    func draw(_ body: (OpaquePointer) -> Void) {
        let cairo: OpaquePointer = cairo_create(surface)
        body(cairo)
        cairo_destroy(cairo)
        cairo_surface_flush(surface)
    }

    /// The pixels, straight; `nil` if memory was short.
    ///
    /// The colour of nearly transparent pixels cannot be recovered from their premultiplied values. Those that may have
    /// `color` get it exactly.
    func pixels(near color: SIMD3<UInt8>? = nil) -> PixelBuffer? {
        guard cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS,
            let bytes = cairo_image_surface_get_data(surface)
        else { return nil }
        return PixelBuffer(
            premultiplied: bytes, stride: Int(cairo_image_surface_get_stride(surface)), size: size,
            near: color)
    }
}
