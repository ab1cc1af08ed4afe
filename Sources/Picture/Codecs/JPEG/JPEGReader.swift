import CTurboJPEG
import StickerModel

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

    /// Decodes `jpeg` in `size`, one that `JPEGScaling` returns, to rows without padding.
    ///
    /// - Throws: `CodecError` also for TurboJPEG's warnings, because they mean that it made up pixels.
    ///   The exceptions are damage that is accepted, and bytes left over after the last scan: every pixel has been
    ///   decoded by then.
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

    /// TurboJPEG keeps only the first warning, and no code for it. If the marker that was found is the
    /// end marker, there was no warning before it, and nothing comes after it.
    private static func isHarmless(_ message: String) -> Bool {
        message.hasSuffix("extraneous bytes before marker 0xd9")
    }
}
