internal import CWebP
import StickerModel
import StickerRaster

/// Owns one `WebPPicture` at a fixed address, as libwebp wants it.
final class WebPPicture {
    let pointer: UnsafeMutablePointer<CWebP.WebPPicture>

    /// Imports `buffer` as ARGB.
    init(_ buffer: borrowing PixelBuffer) throws(CodecError) {
        pointer = .allocate(capacity: 1)
        pointer.initialize(to: CWebP.WebPPicture())
        guard WebPPictureInit(pointer) != 0 else {
            throw CodecError(.encoder, .webp, "the libwebp headers and library differ")
        }
        pointer.pointee.use_argb = 1
        pointer.pointee.width = Int32(buffer.size.width)
        pointer.pointee.height = Int32(buffer.size.height)
        let stride = Int32(buffer.stride)
        let imported = buffer.withUnsafeBytes { bytes in
            WebPPictureImportRGBA(
                pointer, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), stride)
        }
        guard imported != 0 else {
            throw CodecError(.outOfMemory, .webp, "no memory for a picture")
        }
    }

    deinit {
        WebPPictureFree(pointer)
        pointer.deinitialize(count: 1)
        pointer.deallocate()
    }

    /// Encodes with `config`; the result is a whole WebP file.
    func encode(_ config: borrowing WebPConfig) throws(CodecError) -> [UInt8] {
        let writer = UnsafeMutablePointer<WebPMemoryWriter>.allocate(capacity: 1)
        writer.initialize(to: WebPMemoryWriter())
        WebPMemoryWriterInit(writer)
        defer {
            WebPMemoryWriterClear(writer)
            writer.deallocate()
        }
        pointer.pointee.writer = WebPMemoryWrite
        pointer.pointee.custom_ptr = UnsafeMutableRawPointer(writer)
        var config = copy config
        guard WebPEncode(&config, pointer) != 0 else {
            let code = pointer.pointee.error_code
            throw CodecError(
                code == VP8_ENC_ERROR_OUT_OF_MEMORY ? .outOfMemory : .encoder, .webp,
                "WebPEncode error \(code.rawValue)")
        }
        return Array(UnsafeBufferPointer(start: writer.pointee.mem, count: writer.pointee.size))
    }
}
