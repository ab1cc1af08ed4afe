import Glibc
package import StickerValues

/// Memory for the pixels of a source picture; running out of it is an error instead of the end of the
/// process.
///
/// Swift's own allocations trap when memory is short; these may be hundreds of megabytes.
package final class LargeMemory {
    package let bytes: UnsafeMutableRawBufferPointer

    /// Allocates `byteCount` bytes of 0, at least 1, for decoding a picture of `format`.
    package init(zeros byteCount: Int, _ format: ImageFormat) throws(CodecError) {
        guard let memory = calloc(max(1, byteCount), 1) else {
            throw CodecError(
                .outOfMemory, format, "no memory for its pixels", measured: "\(byteCount) bytes")
        }
        bytes = UnsafeMutableRawBufferPointer(start: memory, count: byteCount)
    }

    deinit { free(bytes.baseAddress) }
}
