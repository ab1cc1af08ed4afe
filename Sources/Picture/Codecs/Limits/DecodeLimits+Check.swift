package import StickerValues

extension DecodeLimits {
    /// Refuses a side of 0 or above the limit, and a frame of too many pixels.
    package func check(_ size: PixelSize, _ format: ImageFormat) throws(CodecError) {
        guard size.width > 0, size.height > 0 else {
            throw CodecError(
                .badDimensions, format, "has a side of 0 pixels", measured: "\(size) px",
                limit: "1 to \(sidePixelsMax) px (limits.sidePixelsMax)")
        }
        guard size.longSide <= sidePixelsMax else {
            throw CodecError(
                .badDimensions, format, "is too wide or too high", measured: "\(size) px",
                limit: "\(sidePixelsMax) px (limits.sidePixelsMax)")
        }
        guard size.pixelCount <= framePixelsMax else {
            throw CodecError(
                .tooManyPixels, format, "the picture has too many pixels",
                measured: "\(size.pixelCount) px",
                limit: "\(framePixelsMax) px (limits.framePixelsMax)")
        }
    }

    /// Refuses a picture whose decoder would need `bytes` of memory.
    package func check(decoderBytes bytes: Int, _ format: ImageFormat) throws(CodecError) {
        guard bytes <= decoderBytesMax else {
            throw CodecError(
                .tooComplex, format, "decoding needs too much memory", measured: "\(bytes) bytes",
                limit: "\(decoderBytesMax) bytes (limits.decoderBytesMax)")
        }
    }
}

extension DecodeLimits {
    /// Refuses an animation of too many frames, or of too many pixels in all of them.
    package func check(
        frameCount: Int, totalPixels: Int, _ format: ImageFormat
    ) throws(CodecError) {
        guard frameCount <= framesMax else {
            throw CodecError(
                .tooManyFrames, format, "the animation has too many frames",
                measured: "\(frameCount) or more frames",
                limit: "\(framesMax) frames (limits.framesMax)")
        }
        guard totalPixels <= totalPixelsMax else {
            throw CodecError(
                .tooManyPixels, format, "the frames have too many pixels together",
                measured: "\(totalPixels) px or more",
                limit: "\(totalPixelsMax) px (limits.totalPixelsMax)")
        }
    }
}
