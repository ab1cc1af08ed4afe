internal import CWebP
import StickerModel
public import StickerRaster

/// Decodes still WebP files of ours, to verify what was written.
public enum WebPDecoder {
    /// The pixels of a still, straight RGBA.
    ///
    /// - Throws: `CodecError.malformed` where libwebp cannot read it.
    public static func still(_ file: [UInt8]) throws(CodecError) -> PixelBuffer {
        var features = WebPBitstreamFeatures()
        let status = WebPGetFeatures(file, file.count, &features)
        guard status == VP8_STATUS_OK, features.has_animation == 0, features.width > 0 else {
            throw CodecError(.malformed, .webp, "VP8 status \(status.rawValue)")
        }
        var buffer = PixelBuffer(
            size: PixelSize(width: Int(features.width), height: Int(features.height)))
        let stride = Int32(buffer.stride)
        let decoded = buffer.withUnsafeMutableBytes { bytes in
            WebPDecodeRGBAInto(
                file, file.count, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self),
                bytes.count, stride) != nil
        }
        guard decoded else { throw CodecError(.malformed, .webp, "the picture data is damaged") }
        return buffer
    }
}
