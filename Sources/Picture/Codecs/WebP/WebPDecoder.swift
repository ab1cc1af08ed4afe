internal import CWebP
public import StickerRaster
import StickerValues

/// Decodes still WebP files of ours for verification.
public enum WebPDecoder {
    /// The pixels of a still, straight RGBA.
    ///
    /// - Throws: `CodecError.malformed` if libwebp cannot read it.
    public static func still(_ file: [UInt8]) throws(CodecError) -> PixelBuffer {
        var features = WebPBitstreamFeatures()
        let status = WebPGetFeatures(file, file.count, &features)
        guard status == VP8_STATUS_OK, features.has_animation == 0, features.width > 0 else {
            throw CodecError(.malformed, .webp, "VP8 status \(status.rawValue)")
        }
        var buffer = PixelBuffer(
            size: PixelSize(width: Int(features.width), height: Int(features.height)))
        let stride = Int32(buffer.stride)
        var config = WebPDecoderConfig()
        WebPInitDecoderConfig(&config)
        config.output.colorspace = MODE_RGBA
        config.output.is_external_memory = 1
        let decoded = buffer.withUnsafeMutableBytes { bytes in
            config.output.u.RGBA.rgba = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
            config.output.u.RGBA.stride = stride
            config.output.u.RGBA.size = bytes.count
            return WebPDecode(file, file.count, &config)
        }
        guard decoded == VP8_STATUS_OK else {
            throw CodecError(
                decoded == VP8_STATUS_OUT_OF_MEMORY ? .outOfMemory : .malformed, .webp,
                "the picture data cannot be read: VP8 status \(decoded.rawValue)")
        }
        return buffer
    }
}
