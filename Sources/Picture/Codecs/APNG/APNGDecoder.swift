import CPNG
import StickerContainers
public import StickerRaster
public import StickerValues

/// Decodes APNG, one frame of the whole canvas after the other (PNG specification, third edition).
/// libpng, which does not know APNG, gets each frame as a PNG of its own. Colours are converted to sRGB and samples to
/// 8 bits before a frame is drawn. A default image that is not a frame is left out. Sequence numbers, sizes and the
/// promised number of frames must be right; see `APNGWalk`.
///
/// Memory: one canvas, the area of a frame that is to be restored, the compressed pixels of one frame,
/// and all its pixels if the file is interlaced.
public final class APNGDecoder: AnimationDecoding {
    /// Known before decoding the pixels. `hasAlpha` may be true even if every pixel turns out to be opaque.
    public let header: ImageHeader
    /// Frames that `next` will return, at least 1.
    public let frameCount: Int
    /// The sum of all delays.
    public let durationMilliseconds: Int
    /// How often the animation is played; 0 means forever, more than 65535 counts as 65535.
    public let loopCount: Int

    private let summary: APNGSummary
    private let source: SourceBytes
    private let conversion: ColorConversion
    private var composer: FrameComposer

    /// How many frames an animated PNG promises; `nil` for others. A single one is shown instead of the default
    /// image.
    ///
    /// Viewers treat a PNG as an animation if it promises at least two frames before its pixels, or one that is not the
    /// default image. Reads only chunk headers; decoding may still find the file damaged.
    public static func promisedFrames(_ source: SourceBytes) -> Int? {
        source.withUnsafeBytes { PNGAnimationControl.find(in: $0)?.frames }
    }

    /// Walks all chunks without decoding pixels.
    /// - Throws: `CodecError` if they break the format or `limits`.
    public init(_ source: SourceBytes, limits: DecodeLimits) throws(CodecError) {
        self.source = source
        (summary, header, conversion) = try source.withUnsafeBytes { bytes throws(CodecError) in
            let metadata = try PNGMetadata(bytes)
            try limits.check(metadata.size, .png)
            let summary = try APNGWalk.summary(
                of: bytes, size: metadata.size, limits: limits)
            let reader = try PNGReader(bytes)
            try limits.check(decoderBytes: summary.workingBytes(reader.info), .png)
            let header = try ImageHeader(metadata, reader)
            let conversion = ColorConversion(header)
            return (summary, ImageHeader(header, conversion, summary), conversion)
        }
        frameCount = summary.frames.count
        durationMilliseconds = summary.durationMilliseconds
        loopCount = summary.loopCount
        composer = try FrameComposer(size: summary.size, .png)
    }

    /// Goes back to the first frame, reusing the memory.
    public func rewind() throws(CodecError) { composer.rewind() }

    /// Composes the next frame on the canvas.
    /// - Returns: `nil` after the last one.
    /// - Throws: `CodecError`; earlier frames are valid.
    public func next() throws(CodecError) -> AnimationFrame? {
        let index = composer.frameIndex
        guard index < frameCount else { return nil }
        let frame = summary.frames[index]
        try composer.begin(frame.rectangle, frame.disposal)
        do {
            try draw(frame)
        } catch {
            var error = error
            error.detail = "frame \(index): \(error.detail)"
            throw error
        }
        return composer.finish(delayMilliseconds: frame.delayMilliseconds)
    }

    /// Lends the pixels of the current frame: straight RGBA of the whole canvas.
    public func withCanvas<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(composer.canvas.bytes)
    }

    private func draw(_ frame: APNGSummary.Frame) throws(CodecError) {
        let file = try source.withUnsafeBytes { bytes throws(CodecError) in
            try APNGFrameFile(frame, of: summary, in: bytes)
        }
        let area = frame.rectangle
        let blending = FrameBlending(isOver: frame.isBlended, layout: conversion.layout)
        try file.withBytes { bytes throws(CodecError) in
            let reader = try PNGReader(bytes)
            try reader.boundRows()
            var y = area.y
            try reader.readRows { row throws(CodecError) in
                let pixels = conversion.convert(row: row, pixels: area.width)
                blending.draw(pixels, onto: composer.canvas.row(y, from: area.x, area.width))
                y += 1
            }
            try reader.finish()
        }
    }
}

extension APNGSummary {
    /// Memory for the canvas, the largest area to be restored, and the largest frame.
    fileprivate func workingBytes(_ info: cpng_info) -> Int {
        let bytesPerPixel = info.bit_depth == 16 ? 8 : 4
        let largest = frames.map { frame in
            let rows = info.interlaced ? frame.rectangle.height : 1
            return APNGFrameFile.byteCount(frame, of: self)
                + rows * frame.rectangle.width * bytesPerPixel
        }
        return (size.pixelCount + restoredPixelsMax) * 4 + (largest.max() ?? 0)
    }
}

extension ImageHeader {
    /// `stored` as it applies to the canvas: 8 bits a sample, in sRGB.
    fileprivate init(_ stored: ImageHeader, _ conversion: ColorConversion, _ summary: APNGSummary) {
        self = stored.converted(by: conversion)
        hasAlpha = stored.hasAlpha || summary.leavesHoles
        let count = summary.frames.count
        let frames = count.counted("frame", "frames")
        detail += ", \(frames), \(summary.durationMilliseconds) ms"
    }
}
