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

    /// Decodes `jpeg` in `size`, one that `JPEGScaling` gives, to rows without padding.
    ///
    /// - Throws: `CodecError` also for TurboJPEG's warnings, because then it made up pixels. Bytes
    ///   left over behind the last scan are the exception: every pixel was decoded by then.
    func decode(
        _ jpeg: UnsafeRawBufferPointer, size: PixelSize, pixelFormat: TJPF,
        into pixels: UnsafeMutableRawBufferPointer
    ) throws(CodecError) {
        precondition(pixels.count >= size.pixelCount * 4)
        let status = tjDecompress2(
            handle, jpeg.assumingMemoryBound(to: UInt8.self).baseAddress, UInt(jpeg.count),
            pixels.assumingMemoryBound(to: UInt8.self).baseAddress, Int32(size.width),
            Int32(size.width * 4), Int32(size.height), pixelFormat.rawValue,
            TJFLAG_ACCURATEDCT | TJFLAG_LIMITSCANS)
        guard status != 0 else { return }
        let message = String(cString: tjGetErrorStr2(handle))
        if tjGetErrorCode(handle) == TJERR_WARNING.rawValue, Self.isHarmless(message) { return }
        throw CodecError(Self.isOutOfMemory(message) ? .outOfMemory : .malformed, .jpeg, message)
    }

    /// libjpeg's JERR_OUT_OF_MEMORY and TurboJPEG's own words; neither comes with a code.
    static func isOutOfMemory(_ message: String) -> Bool {
        message.hasPrefix("Insufficient memory")
            || message.hasSuffix("Memory allocation failure")
    }

    /// TurboJPEG keeps the first warning only, and no code for it. The end marker being the one
    /// that was found tells that nothing came before it and nothing comes after.
    private static func isHarmless(_ message: String) -> Bool {
        message.hasSuffix("extraneous bytes before marker 0xd9")
    }
}
