import CDeflate
import StickerContainers

/// The ICC profile of a PNG (PNG specification, third edition, 11.3.2.3): a name, a 0, the method 0, and the
/// profile, compressed.
///
/// libpng would discard a profile for RGB beside gray pixels.
enum PNGProfile {
    static func read(_ data: UnsafeRawBufferPointer) -> ColorFacts.Profile {
        // One byte more than the specification allows, as in browsers.
        guard let end = data.prefix(81).firstIndex(of: 0), end > 0, data.byte(at: end + 1) == 0
        else {
            return .damaged("it has no name, or is compressed in an unknown way")
        }
        guard let decompressor = libdeflate_alloc_decompressor() else {
            return .damaged("there is no memory for it")
        }
        defer { libdeflate_free_decompressor(decompressor) }
        let stream = data.part((end + 2)..<data.count)
        var status = LIBDEFLATE_BAD_DATA
        let profile = [UInt8](unsafeUninitializedCapacity: ICCOutline.bytesMax) { room, count in
            status = libdeflate_zlib_decompress(
                decompressor, stream.baseAddress, stream.count, room.baseAddress, room.count, &count
            )
            if status != LIBDEFLATE_SUCCESS { count = 0 }
        }
        switch status {
        case LIBDEFLATE_SUCCESS: return .whole(Array(profile[...]))
        case LIBDEFLATE_INSUFFICIENT_SPACE:
            return .damaged("it has more than \(ICCOutline.bytesMax) bytes")
        default: return .damaged("its compressed data is damaged")
        }
    }
}
