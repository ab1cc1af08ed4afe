internal import CWebP
import StickerValues

/// Decodes the pixels of a foreign picture whose chunks `WebPSummary` has checked.
enum WebPPixels {
    /// Fills `pixels`, straight RGBA of the whole picture.
    static func decode(
        _ chunks: UnsafeRawBufferPointer, size: PixelSize,
        into pixels: UnsafeMutableRawBufferPointer
    ) throws(CodecError) {
        precondition(pixels.count >= size.pixelCount * 4)
        var config = WebPDecoderConfig()
        WebPInitDecoderConfig(&config)
        config.output.colorspace = MODE_RGBA
        config.output.is_external_memory = 1
        config.output.u.RGBA.rgba = pixels.baseAddress?.assumingMemoryBound(to: UInt8.self)
        config.output.u.RGBA.stride = Int32(size.width * 4)
        config.output.u.RGBA.size = pixels.count
        let bytes = chunks.assumingMemoryBound(to: UInt8.self)
        let status = WebPDecode(bytes.baseAddress, bytes.count, &config)
        switch status {
        case VP8_STATUS_OK: return
        case VP8_STATUS_OUT_OF_MEMORY:
            throw CodecError(.outOfMemory, .webp, "no memory for its pixels")
        case VP8_STATUS_NOT_ENOUGH_DATA, VP8_STATUS_SUSPENDED:
            throw CodecError(.malformed, .webp, "the pixels end too early")
        default:
            throw CodecError(.malformed, .webp, "the pixels are damaged")
        }
    }
}
