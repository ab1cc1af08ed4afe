import CGIF
public import StickerRaster
public import StickerValues

/// Decodes GIF through giflib, one frame of the whole canvas after the other.
///
/// Memory: one canvas, and the area of a frame to be undone. The canvas holds the screen and all of the first frame;
/// others are clipped to it, empty ones are left out, indices outside the colour table are transparent, and of the
/// reserved disposals 4 is 3 and the others keep the frame. Background and aspect ratio are ignored, as in browsers.
public final class GIFDecoder: AnimationDecoding {
    /// Known before decoding the pixels. `hasAlpha` may be true even if every pixel turns out to be opaque.
    public let header: ImageHeader
    /// Frames that `next` will return, at least 1.
    public let frameCount: Int
    /// The sum of all delays.
    public let durationMilliseconds: Int
    /// How often the animation is played; 0 means forever.
    public let loopCount: Int

    private let summary: GIFSummary
    private let source: SourceBytes
    private var reader: GIFReader
    private var composer: FrameComposer
    private var imageIndex = 0

    /// Walks all blocks without decoding them.
    /// - Throws: `CodecError` if they break the format or `limits`.
    public convenience init(_ source: SourceBytes, limits: DecodeLimits) throws(CodecError) {
        try self.init(source, limits: limits, accepting: nil)
    }

    /// Walks all blocks without decoding them; of a damaged file, those before the damage.
    /// - Throws: `CodecError` if they break the format or `limits`.
    public init(
        _ source: SourceBytes, limits: DecodeLimits, accepting damage: AcceptedDamage?
    ) throws(CodecError) {
        summary = try source.withUnsafeBytes { bytes throws(CodecError) in
            try GIFSummary(bytes, limits: limits, accepting: damage)
        }
        let shown = summary.frames.filter { !$0.rectangle.isEmpty }
        try limits.check(decoderBytes: summary.workingBytes, .gif)
        frameCount = shown.count
        durationMilliseconds = shown.reduce(0) { $0 + $1.delayMilliseconds }
        header = ImageHeader(summary, shown, duration: durationMilliseconds)
        loopCount = summary.loopCount
        self.source = source
        reader = try GIFReader(source)
        composer = try FrameComposer(size: summary.size, .gif)
    }

    /// Goes back to the first frame, reusing the memory.
    public func rewind() throws(CodecError) {
        reader = try GIFReader(source)
        composer.rewind()
        imageIndex = 0
    }

    /// Composes the next frame on the canvas.
    /// - Returns: `nil` after the last one.
    /// - Throws: `CodecError`; earlier frames are valid.
    public func next() throws(CodecError) -> AnimationFrame? {
        while imageIndex < summary.frames.count {
            let frame = summary.frames[imageIndex]
            imageIndex += 1
            guard try reader.nextImage(), reader.rectangle == frame.rectangle else {
                throw CodecError(.malformed, .gif, "the frames are not where the blocks say")
            }
            guard !frame.rectangle.isEmpty else {
                try reader.skipImage()
                continue
            }
            return try compose(frame)
        }
        return nil
    }

    /// Lends the pixels of the current frame: straight RGBA of the whole canvas.
    public func withCanvas<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(composer.canvas.bytes)
    }

    private func compose(_ frame: GIFSummary.Frame) throws(CodecError) -> AnimationFrame {
        let area = frame.rectangle.clipped(to: summary.size)
        try composer.begin(area, frame.disposal)
        let palette = try GIFPalette(reader, transparentIndex: frame.transparentIndex)
        let row = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: frame.rectangle.width)
        defer { row.deallocate() }
        for y in GIFRows(frame) {
            try reader.read(row: row)
            guard y < area.height else { continue }
            palette.draw(
                UnsafeBufferPointer(row), count: area.width, onto: composer.canvas, x: area.x,
                y: area.y + y)
        }
        return composer.finish(delayMilliseconds: frame.delayMilliseconds)
    }
}

extension ImageHeader {
    fileprivate init(_ summary: GIFSummary, _ frames: [GIFSummary.Frame], duration: Int) {
        let size = summary.size
        let startsWhole =
            frames.first?.rectangle.clipped(to: size) == PixelRectangle(all: size)
        let hasHoles = frames.contains { $0.transparentIndex != nil || $0.disposal == .clear }
        self.init(
            format: .gif, size: size, layout: .rgba8, hasAlpha: !startsWhole || hasHoles,
            detail: frames.count == 1 ? "1 frame" : "\(frames.count) frames, \(duration) ms")
        if !summary.hasTrailer {
            warnings.append(Warning("no-trailer", "the GIF ends without a trailer"))
        }
        if frames.count < summary.frames.count {
            warnings.append(Warning("empty-frame", "frames without pixels were left out"))
        }
    }
}
