import CTurboJPEG
import StickerValues

/// Owns one TurboJPEG decompressor. Corresponds to `tjhandle`.
struct JPEGReader: ~Copyable {
    private let handle: tjhandle

    init() throws(CodecError) {
        guard let handle = tjInitDecompress() else {
            throw CodecError(.outOfMemory, .jpeg, "out of memory")
        }
        self.handle = handle
    }

    deinit { tjDestroy(handle) }

    /// Decodes `jpeg` to `size`, which must come from `JPEGScaling`, in rows without padding.
    ///
    /// - Throws: `CodecError` also for TurboJPEG's warnings, because they mean that it made up pixels. The exceptions
    ///   are accepted damage, and extra bytes after the last scan, when every pixel has been decoded.
    func decode(
        _ jpeg: UnsafeRawBufferPointer, size: PixelSize, pixelFormat: TJPF,
        into pixels: UnsafeMutableRawBufferPointer, accepting damage: AcceptedDamage?
    ) throws(CodecError) {
        precondition(pixels.count >= size.pixelCount * 4)
        let status = tjDecompress2(
            handle, jpeg.assumingMemoryBound(to: UInt8.self).baseAddress, UInt(jpeg.count),
            pixels.assumingMemoryBound(to: UInt8.self).baseAddress, Int32(size.width),
            Int32(size.width * 4), Int32(size.height), pixelFormat.rawValue,
            TJFLAG_ACCURATEDCT | TJFLAG_LIMITSCANS)
        guard status != 0 else { return }
        let message = String(cString: tjGetErrorStr2(handle))
        let isWarning = tjGetErrorCode(handle) == TJERR_WARNING.rawValue
        if isWarning, Self.isHarmless(message) { return }
        if isWarning { return try damage.accept(CodecError(.malformed, .jpeg, message)) }
        throw CodecError(Self.isOutOfMemory(message) ? .outOfMemory : .malformed, .jpeg, message)
    }

    /// libjpeg's JERR_OUT_OF_MEMORY and TurboJPEG's own message; neither comes with a code.
    static func isOutOfMemory(_ message: String) -> Bool {
        message.hasPrefix("Insufficient memory")
            || message.hasSuffix("Memory allocation failure")
    }

    /// TurboJPEG keeps only the first warning, without a code. If it is about the end marker, no warning came before
    /// it, and nothing follows.
    private static func isHarmless(_ message: String) -> Bool {
        message.hasSuffix("extraneous bytes before marker 0xd9")
    }
}
