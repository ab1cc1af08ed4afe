import CDeflate
import StickerValues

/// Compression by libdeflate, which takes half of zlib's time for the same bytes.
enum Deflate {
    /// Fast; for comparing the sizes of several forms.
    static let trialLevel: Int32 = 1
    /// Compresses `bytes`; equal bytes give equal streams.
    ///
    /// - Parameters:
    ///   - bytes: any number of them.
    ///   - level: libdeflate's, 1...12.
    /// - Returns: a zlib stream (RFC 1950).
    /// - Throws: `CodecError.Code.outOfMemory`.
    static func zlib(_ bytes: [UInt8], level: Int32) throws(CodecError) -> [UInt8] {
        guard let compressor = libdeflate_alloc_compressor(level) else {
            throw CodecError(.outOfMemory, .png, "no memory for compressing the picture")
        }
        defer { libdeflate_free_compressor(compressor) }
        let capacity = libdeflate_zlib_compress_bound(compressor, bytes.count)
        return [UInt8](unsafeUninitializedCapacity: capacity) { stream, count in
            count = libdeflate_zlib_compress(
                compressor, bytes, bytes.count, stream.baseAddress, capacity)
        }
    }
}
