import StickerContainers
public import StickerRaster
public import StickerValues

/// Decodes animated WebP, one frame of the whole canvas after the other.
///
/// libwebp decodes each frame; it is converted to sRGB and drawn onto the canvas here, as with APNG. The
/// stated background is ignored and disposed areas become transparent, as in browsers.
///
/// Memory: one canvas and one frame.
public final class WebPMovingDecoder: AnimationDecoding {
    /// Known before decoding the pixels. `hasAlpha` may be true even if every pixel turns out to be opaque.
    public let header: ImageHeader
    /// Frames that `next` will return, at least 1.
    public let frameCount: Int
    /// The sum of all delays.
    public let durationMilliseconds: Int
    /// How often the animation is played; 0 means forever.
    public let loopCount: Int

    private let frames: [WebPSummary.Frame]
    private let source: SourceBytes
    private let conversion: ColorConversion
    private var composer: FrameComposer

    /// Walks all chunks without decoding pixels.
    /// - Throws: `CodecError` if they break the format or `limits`.
    public init(_ source: SourceBytes, limits: DecodeLimits) throws(CodecError) {
        self.source = source
        let (stored, duration, loops): (ImageHeader, Int, Int)
        (frames, stored, duration, loops) = try source.withUnsafeBytes { bytes throws(CodecError) in
            let summary = try WebPSummary(bytes, limits: limits)
            guard summary.isAnimated else { throw CodecError(.malformed, .webp, "it is a still") }
            let canvasBytes = summary.size.pixelCount * 4
            try limits.check(decoderBytes: canvasBytes + summary.workingBytes, .webp)
            let count = summary.frames.count.counted("frame", "frames")
            let detail = "\(count), \(summary.durationMilliseconds) ms"
            return (
                summary.frames, try ImageHeader(summary, detail: detail),
                summary.durationMilliseconds,
                summary.loopCount
            )
        }
        conversion = ColorConversion(stored)
        header = stored.converted(by: conversion)
        frameCount = frames.count
        (durationMilliseconds, loopCount) = (duration, loops)
        composer = try FrameComposer(size: stored.size, .webp)
    }

    /// Goes back to the first frame, reusing the memory.
    public func rewind() throws(CodecError) { composer.rewind() }

    /// Composes the next frame on the canvas.
    /// - Returns: `nil` after the last one.
    /// - Throws: `CodecError`; earlier frames are valid.
    public func next() throws(CodecError) -> AnimationFrame? {
        let index = composer.frameIndex
        guard index < frameCount else { return nil }
        let frame = frames[index]
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

    private func draw(_ frame: WebPSummary.Frame) throws(CodecError) {
        let area = frame.rectangle
        let memory = try LargeMemory(zeros: area.size.pixelCount * 4, .webp)
        let pixels = memory.bytes
        try source.withUnsafeBytes { bytes throws(CodecError) in
            try WebPPixels.decode(bytes.part(frame.chunks), size: area.size, into: pixels)
        }
        let blending = FrameBlending(isOver: frame.isBlended, layout: .rgba8)
        let stride = area.width * 4
        for y in 0..<area.height {
            let row = UnsafeRawBufferPointer(pixels).part((y * stride)..<((y + 1) * stride))
            blending.draw(
                conversion.convert(row: row, pixels: area.width),
                onto: composer.canvas.row(area.y + y, from: area.x, area.width))
        }
    }
}
