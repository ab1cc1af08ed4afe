import CZlib
import StickerCodecs
import StickerValues

/// Inflates an SVGZ, which is a gzip file (RFC 1952) of one member or several. Owns a `z_stream`.
final class GzipText {
    /// The most bytes of a drawing, in any encoding.
    private static let textBytesMax = 2 * SVGLimits.bytesMax
    private static let partBytes = 64 * 1024

    /// zlib remembers its address.
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)

    /// Inflates the file.
    ///
    /// - Parameters:
    ///   - bytes: the file; bytes after its last member are ignored.
    ///   - bytesMax: the limit of the content, that of `limits.sourceBytesMax`.
    /// - Returns: the content.
    /// - Throws: `CodecError` if the file is damaged or too large.
    static func inflated(
        _ bytes: UnsafeRawBufferPointer, atMost bytesMax: Int
    ) throws(CodecError) -> [UInt8] {
        try GzipText().inflate(bytes, atMost: bytesMax)
    }

    private init() throws(CodecError) {
        stream.initialize(to: z_stream())
        let gzipOnly = MAX_WBITS + 16
        let status = inflateInit2_(
            stream, gzipOnly, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard status == Z_OK else { throw CodecError(.outOfMemory, .svg, "memory is short") }
    }

    deinit {
        inflateEnd(stream)  // does nothing to a stream without a state
        stream.deallocate()
    }

    private func inflate(
        _ bytes: UnsafeRawBufferPointer, atMost bytesMax: Int
    ) throws(CodecError) -> [UInt8] {
        stream.pointee.next_in = UnsafeMutablePointer(
            mutating: bytes.assumingMemoryBound(to: UInt8.self).baseAddress)
        stream.pointee.avail_in = UInt32(clamping: bytes.count)
        var text: [UInt8] = []
        let part = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: Self.partBytes)
        defer { part.deallocate() }
        while true {
            (stream.pointee.next_out, stream.pointee.avail_out) = (
                part.baseAddress, UInt32(part.count)
            )
            let status = CZlib.inflate(stream, Z_NO_FLUSH)
            let count = part.count - Int(stream.pointee.avail_out)
            text += part[..<count]
            try Self.check(text.count, bytesMax)
            switch status {
            case Z_OK: continue
            case Z_STREAM_END:
                guard hasFurtherMember else { return text }
                inflateReset(stream)
            case Z_BUF_ERROR:
                throw CodecError(.truncated, .svg, "the file ends within its compressed text")
            case Z_MEM_ERROR: throw CodecError(.outOfMemory, .svg, "memory is short")
            default: throw CodecError(.malformed, .svg, "its compressed text is damaged")
            }
        }
    }

    private var hasFurtherMember: Bool {
        let input = stream.pointee
        return input.avail_in > 1 && input.next_in[0] == 0x1F && input.next_in[1] == 0x8B
    }

    private static func check(_ count: Int, _ bytesMax: Int) throws(CodecError) {
        let (most, key) =
            bytesMax <= textBytesMax ? (bytesMax, " (limits.sourceBytesMax)") : (textBytesMax, "")
        guard count > most else { return }
        throw CodecError(
            .tooComplex, .svg, "the drawing is too large once it is inflated",
            measured: "more than \(most.grouped) bytes", limit: "\(most.grouped) bytes\(key)")
    }
}
