internal import CWebP
public import StickerRaster
public import StickerValues

/// Plays back an animated WebP of ours for verification.
public final class WebPAnimationDecoder {
    /// Frames.
    public let frameCount: Int
    /// The size of the canvas in pixels.
    public let size: PixelSize
    /// How often it is played; 0 means forever.
    public let loopCount: Int

    private let bytes: UnsafeMutableBufferPointer<UInt8>
    private let handle: OpaquePointer
    private var shownUntil = 0

    /// Opens a file.
    ///
    /// - Throws: `CodecError.malformed` if libwebp cannot read it.
    public init(_ file: [UInt8]) throws(CodecError) {
        bytes = .allocate(capacity: file.count)
        _ = bytes.initialize(from: file)
        var options = WebPAnimDecoderOptions()
        WebPAnimDecoderOptionsInit(&options)
        options.color_mode = MODE_RGBA
        var data = WebPData(bytes: UnsafePointer(bytes.baseAddress), size: bytes.count)
        var info = WebPAnimInfo()
        guard let handle = WebPAnimDecoderNew(&data, &options) else {
            bytes.deallocate()
            throw CodecError(.malformed, .webp, "the animation cannot be opened")
        }
        WebPAnimDecoderGetInfo(handle, &info)
        self.handle = handle
        frameCount = Int(info.frame_count)
        size = PixelSize(width: Int(info.canvas_width), height: Int(info.canvas_height))
        loopCount = Int(info.loop_count)
    }

    deinit {
        WebPAnimDecoderDelete(handle)
        bytes.deallocate()
    }

    /// The next frame and how long it is shown; `nil` after the last one.
    ///
    /// - Throws: `CodecError.malformed` if a frame cannot be decoded.
    public func next() throws(CodecError) -> DecodedFrame? {
        guard WebPAnimDecoderHasMoreFrames(handle) != 0 else { return nil }
        var pixels: UnsafeMutablePointer<UInt8>?
        var end: Int32 = 0
        guard WebPAnimDecoderGetNext(handle, &pixels, &end) != 0, let pixels else {
            throw CodecError(.malformed, .webp, "a frame is damaged")
        }
        var canvas = PixelBuffer(size: size)
        canvas.withUnsafeMutableBytes {
            $0.copyMemory(from: UnsafeRawBufferPointer(start: pixels, count: $0.count))
        }
        defer { shownUntil = Int(end) }
        return DecodedFrame(canvas, milliseconds: Int(end) - shownUntil)
    }
}

/// One frame of an animation, straight RGBA of the whole canvas.
public final class DecodedFrame {
    /// The pixels.
    public let canvas: PixelBuffer
    /// How long it is shown.
    public let milliseconds: Int

    /// Creates a frame that takes over the pixels.
    public init(_ canvas: consuming PixelBuffer, milliseconds: Int) {
        self.canvas = canvas
        self.milliseconds = milliseconds
    }
}
