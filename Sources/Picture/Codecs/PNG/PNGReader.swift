import CPNG
import StickerValues

/// Owns one libpng read struct. Corresponds to `cpng_reader`.
///
/// The bytes that it reads have to outlive it.
struct PNGReader: ~Copyable {
    private let handle: OpaquePointer
    /// The facts that libpng found before the pixels.
    let info: cpng_info

    init(_ bytes: UnsafeRawBufferPointer) throws(CodecError) {
        let base = bytes.assumingMemoryBound(to: UInt8.self).baseAddress
        guard let handle = cpng_reader_create(base, bytes.count) else {
            throw CodecError(.outOfMemory, .png, "out of memory")
        }
        var info = cpng_info()
        let status = cpng_reader_start(handle, &info)
        guard status == CPNG_OK else {
            defer { cpng_reader_destroy(handle) }
            throw Self.error(status, handle)
        }
        self.handle = handle
        self.info = info
    }

    deinit { cpng_reader_destroy(handle) }

    /// Reads the next row of a picture that is not interlaced into `row`.
    func read(row: UnsafeMutableRawBufferPointer) throws(CodecError) {
        precondition(row.count >= info.row_bytes)
        try check(cpng_reader_row(handle, row.assumingMemoryBound(to: UInt8.self).baseAddress))
    }

    /// Reads all rows into `pixels`.
    func read(image pixels: UnsafeMutableRawBufferPointer) throws(CodecError) {
        precondition(pixels.count >= info.row_bytes * Int(info.height))
        try check(cpng_reader_image(handle, pixels.assumingMemoryBound(to: UInt8.self).baseAddress))
    }

    /// From now on, refuses compressed data far larger than the rows can need.
    func boundRows() throws(CodecError) {
        try check(cpng_reader_bound_rows(handle))
    }

    /// From now on, delivers every complete row of a truncated file.
    func takeSmallParts() throws(CodecError) {
        try check(cpng_reader_take_small_parts(handle))
    }

    /// Reads the chunks after the pixels.
    func finish() throws(CodecError) {
        try check(cpng_reader_finish(handle))
    }

    private func check(_ status: cpng_status) throws(CodecError) {
        guard status == CPNG_OK else { throw Self.error(status, handle) }
    }

    private static func error(_ status: cpng_status, _ handle: OpaquePointer) -> CodecError {
        let code: CodecError.Code =
            switch status {
            case CPNG_TRUNCATED: .truncated
            case CPNG_OUT_OF_MEMORY: .outOfMemory
            default: .malformed
            }
        return CodecError(code, .png, String(cString: cpng_reader_message(handle)))
    }
}
