package import StickerCodecs
package import StickerRaster
package import StickerValues

/// Decodes image sequences of AVIF, one frame of the whole canvas after the other.
/// Memory: one canvas, and the decoder's memory for one frame.
package final class AVIFMovingDecoder: AnimationDecoding {
    /// Known before decoding the pixels.
    package let header: ImageHeader
    /// Frames that `next` will return, at least 1.
    package let frameCount: Int
    /// The sum of all delays.
    package let durationMilliseconds: Int
    /// libavif 0.11 does not report it: forever.
    package let loopCount = 0

    private let file: AVIFFile
    private let conversion: ColorConversion
    private let canvas: LargeMemory
    private var frameIndex = 0

    /// Parses the boxes.
    /// - Throws: `CodecError` if they break the format or `limits`.
    package convenience init(_ source: SourceBytes, limits: DecodeLimits) throws(CodecError) {
        try self.init(try AVIFFile(source, limits: limits))
    }

    init(_ file: AVIFFile) throws(CodecError) {
        self.file = file
        conversion = ColorConversion(file.header)
        header = file.header.converted(by: conversion)
        (frameCount, durationMilliseconds) = (file.frameCount, file.durationMilliseconds)
        canvas = try LargeMemory(zeros: file.header.size.pixelCount * 4, .avif)
    }

    /// Goes back to the first frame.
    package func rewind() throws(CodecError) { frameIndex = 0 }

    /// Decodes the next frame.
    /// - Returns: `nil` after the last one.
    /// - Throws: `CodecError`; earlier frames are valid.
    package func next() throws(CodecError) -> AnimationFrame? {
        guard frameIndex < frameCount else { return nil }
        let stride = header.size.width * 4
        let blending = FrameBlending(isOver: false, layout: conversion.layout)
        var y = 0
        try file.decode(frameIndex) { (row) throws(CodecError) in
            blending.draw(
                conversion.convert(row: row, pixels: header.size.width),
                onto: UnsafeMutableRawBufferPointer(
                    rebasing: canvas.bytes[(y * stride)..<((y + 1) * stride)]))
            y += 1
        }
        defer { frameIndex += 1 }
        return AnimationFrame(
            index: frameIndex, changed: PixelRectangle(all: header.size),
            askedMilliseconds: file.delayMilliseconds)
    }

    /// Lends the pixels of the current frame: straight RGBA of the whole canvas.
    package func withCanvas<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(canvas.bytes))
    }
}
