internal import CWebP
import StickerContainers
public import StickerRaster
public import StickerValues

/// Encodes frames of one size to an animated WebP without loss, through libwebpmux's `WebPAnimEncoder`.
///
/// Only changes between two frames are coded. Memory: a few canvases, whatever the length.
public final class WebPAnimationEncoder {
    private let handle: OpaquePointer
    private var config: WebPConfig
    private let budget: WorkBudget?
    private var timestamp = 0
    private var ground = AnimationGround()

    /// Begins an animation.
    ///
    /// - Parameters:
    ///   - size: the size of every frame.
    ///   - loopCount: how often it is played; 0 means forever.
    ///   - level: libwebp's preset, 0 (fast) to 9.
    ///   - budget: bounds the time of the whole animation.
    /// - Throws: `CodecError` if libwebp refuses.
    public init(
        size: PixelSize, loopCount: Int, level: Int, budget: WorkBudget? = nil
    ) throws(CodecError) {
        self.budget = budget
        config = try Self.config(level)
        var options = WebPAnimEncoderOptions()
        guard WebPAnimEncoderOptionsInit(&options) != 0 else {
            throw CodecError(.encoder, .webp, "the libwebpmux headers and library differ")
        }
        options.anim_params.loop_count = Int32(clamping: loopCount)
        options.allow_mixed = 0
        guard let handle = WebPAnimEncoderNew(Int32(size.width), Int32(size.height), &options)
        else { throw CodecError(.outOfMemory, .webp, "no memory for an animation") }
        self.handle = handle
    }

    deinit { WebPAnimEncoderDelete(handle) }

    /// Adds a frame that is shown for `milliseconds`.
    ///
    /// - Throws: `CodecError` if libwebp fails.
    public func add(_ frame: borrowing PixelBuffer, milliseconds: Int) throws(CodecError) {
        let picture = try WebPPicture(frame)
        picture.bound(by: budget)
        guard WebPAnimEncoderAdd(handle, picture.pointer, Int32(timestamp), &config) != 0 else {
            try picture.fail(message)
        }
        timestamp += milliseconds
        ground.note(frame)
    }

    /// The whole file.
    ///
    /// - Throws: `CodecError` if libwebp fails.
    public func finish() throws(CodecError) -> [UInt8] {
        var data = WebPData()
        WebPDataInit(&data)
        defer { WebPDataClear(&data) }
        guard WebPAnimEncoderAdd(handle, nil, Int32(timestamp), nil) != 0,
            WebPAnimEncoderAssemble(handle, &data) != 0
        else {
            try budget?.check(.webp)
            throw CodecError(.encoder, .webp, message)
        }
        return ground.applied(to: Array(UnsafeBufferPointer(start: data.bytes, count: data.size)))
    }

    /// The bytes of each frame of a file; one element for a still.
    public static func frameSizes(of file: [UInt8]) -> [Int] {
        let chunks = RIFF.chunks(of: file) ?? []
        let frames = chunks.filter { $0.tag == "ANMF" }
        return frames.isEmpty ? [file.count] : frames.map { $0.payload.count + 8 }
    }

    private var message: String {
        WebPAnimEncoderGetError(handle).map { String(cString: $0) } ?? "WebPAnimEncoder failed"
    }

    private static func config(_ level: Int) throws(CodecError) -> WebPConfig {
        var config = WebPConfig()
        WebPConfigInit(&config)
        guard WebPConfigLosslessPreset(&config, Int32(level)) != 0 else {
            throw CodecError(.encoder, .webp, "no lossless level \(level)")
        }
        return config
    }
}
