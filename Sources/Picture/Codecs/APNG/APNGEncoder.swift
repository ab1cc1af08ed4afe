public import StickerRaster
public import StickerValues

/// Encodes an animation to APNG, losslessly, frame by frame (PNG specification, third edition).
///
/// RGB if every pixel of every frame is opaque, otherwise RGBA; a palette only if it is allowed and all
/// frames together have few colours. The first frame is a complete picture. Each further one stores the
/// rectangle that changed, and within it only the pixels that changed if that is possible and smaller. A
/// frame that shows the same as the one before extends that one. Delays are exact to 1 ms. The only
/// metadata is an sRGB chunk. Equal frames give equal bytes.
///
/// Memory: two canvases, a frame, and the file, whatever the number of frames.
public final class APNGEncoder: AnimationEncoding {
    /// Longer sides are refused; stickers are small.
    private static let sideMax = 2048
    /// The header, sRGB, acTL and IEND.
    private static let fixedBytes = 8 + 25 + 13 + 20 + 12

    private let size: PixelSize
    private let loopCount: Int
    private let bytesMax: Int
    private var stage: APNGStage
    private var form: APNGForm
    private var frames: [APNGStage.Frame] = []
    private var bytes = fixedBytes
    private var allIsOpaque = true
    private var isStarted = false

    /// Whether the file outgrew `bytesMax`; further frames are then ignored.
    public private(set) var isTooLarge = false

    /// Begins a file.
    ///
    /// - Parameters:
    ///   - size: the canvas, 1...2048 pixels a side.
    ///   - loopCount: how often the animation is played, 0...2^31 - 1; 0 means forever.
    ///   - bytesMax: the encoder gives up on a file that grows larger.
    ///   - allowsPalette: whether an animation of at most 255 colours, not counting full transparency, may become a
    ///     palette picture. Some viewers draw those wrongly.
    /// - Throws: `CodecError.badDimensions`.
    public init(
        size: PixelSize, loopCount: Int, bytesMax: Int = .max, allowsPalette: Bool = false
    ) throws(CodecError) {
        precondition(0...0x7FFF_FFFF ~= loopCount, "PNG has no number for so many plays")
        guard 1...Self.sideMax ~= size.width, 1...Self.sideMax ~= size.height else {
            throw CodecError(
                .badDimensions, .png, "has a canvas whose size does not suit an animation",
                measured: "\(size) px", limit: "1 to \(Self.sideMax) px a side")
        }
        (self.size, self.loopCount, self.bytesMax) = (size, loopCount, bytesMax)
        stage = APNGStage(size: size)
        form = allowsPalette ? .palette(FrameColorTable()) : .rgb
    }

    /// Images in the file so far: distinct frames, and the parts that long delays are divided into.
    public var frameCount: Int { frames.reduce(0) { $0 + APNGFile.imageCount(of: $1) } }
    /// The total time of the frames.
    public var durationMilliseconds: Int { frames.reduce(0) { $0 + $1.milliseconds } }

    /// Adds the next frame: straight RGBA of the whole canvas, shown for `durationMilliseconds`; values
    /// below 0 count as 0.
    ///
    /// - Throws: `CodecError` if the size differs or memory is short.
    public func add(
        frame: borrowing PixelBuffer, durationMilliseconds: Int
    ) throws(CodecError) {
        guard frame.size == size else {
            throw CodecError(.encoder, .png, "a frame of \(frame.size) on a canvas of \(size)")
        }
        isStarted = true
        guard !isTooLarge else { return }
        frame.withUnsafeBytes { stage.receive($0) }
        let milliseconds = max(0, durationMilliseconds)
        if stage.isNewestTheSame {
            frames[frames.count - 1].milliseconds += milliseconds
            return
        }
        allIsOpaque = allIsOpaque && stage.isNewestOpaque
        try widenForm()
        guard !isTooLarge else { return }
        try store(milliseconds: milliseconds)
    }

    /// Ends the file; nothing can be added afterwards.
    ///
    /// - Returns: the whole file, or `nil` if it outgrew `bytesMax`.
    /// - Throws: `CodecError.noFrames` if no frame was added, or `outOfMemory`.
    public func finish() throws(CodecError) -> [UInt8]? {
        guard isStarted else {
            throw CodecError(.noFrames, .png, "an animation needs a frame")
        }
        guard !isTooLarge else { return nil }
        let file = try file(frames)
        isTooLarge = file.count > bytesMax
        return isTooLarge ? nil : file
    }

    private func file(_ frames: [APNGStage.Frame]) throws(CodecError) -> [UInt8] {
        try APNGFile.bytes(frames, form, size: size, loopCount: loopCount)
    }

    private func store(milliseconds: Int) throws(CodecError) {
        let frame = try stage.advance(form, milliseconds: milliseconds)
        frames.append(frame)
        bytes += APNGFile.byteCount(of: frame)
        guard bytes > bytesMax else { return }
        isTooLarge = true
        frames = []
    }

    /// Switches to a form that has room for the newest picture if the current one has none.
    ///
    /// The needs of all frames together are known only with the last one. So frames stored in a smaller form are
    /// decoded and stored again; most animations show all they need at once.
    private func widenForm() throws(CodecError) {
        let wider = form.widened(for: stage.newest, allIsOpaque: allIsOpaque)
        guard !wider.isKept(by: form), !frames.isEmpty else { return form = wider }
        let stored = frames
        let decoder = try decoder(of: stored)
        let newest = stage.newest
        (form, frames, bytes) = (wider, [], Self.fixedBytes)
        stage = APNGStage(size: size)
        while !isTooLarge, let frame = try decoder.next() {
            decoder.withCanvas { stage.receive($0) }
            try store(milliseconds: stored[frame.index].milliseconds)
        }
        newest.withUnsafeBytes { stage.receive($0) }
    }

    private func decoder(of frames: [APNGStage.Frame]) throws(CodecError) -> APNGDecoder {
        var undivided = frames
        for index in undivided.indices { undivided[index].milliseconds = 0 }
        var limits = DecodeLimits()
        (limits.framesMax, limits.totalPixelsMax) = (.max, .max)
        (limits.framePixelsMax, limits.decoderBytesMax) = (.max, .max)
        return try APNGDecoder(SourceBytes(file(undivided)), limits: limits)
    }
}
