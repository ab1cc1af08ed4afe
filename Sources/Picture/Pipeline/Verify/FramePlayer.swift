import StickerCodecs
import StickerRaster
import StickerValues

/// Plays back a finished animation of ours, whatever its format.
enum FramePlayer {
    case webp(WebPAnimationDecoder)
    case other(any AnimationDecoding)

    /// Opens `file`, which has `format`.
    init(_ file: [UInt8], _ format: ImageFormat, limits: DecodeLimits) throws(CodecError) {
        switch format {
        case .webp: self = .webp(try WebPAnimationDecoder(file))
        case .gif: self = .other(try GIFDecoder(SourceBytes(file), limits: limits))
        case .png: self = .other(try APNGDecoder(SourceBytes(file), limits: limits))
        default: preconditionFailure("no animation is made as \(format.rawValue)")
        }
    }

    /// The next frame; `nil` after the last.
    func next() throws(CodecError) -> DecodedFrame? {
        switch self {
        case .webp(let decoder):
            return try decoder.next()
        case .other(let decoder):
            guard let frame = try decoder.next() else { return nil }
            var pixels = PixelBuffer(size: decoder.header.size)
            decoder.withCanvas { shown in
                pixels.withUnsafeMutableBytes { $0.copyMemory(from: shown) }
            }
            return DecodedFrame(pixels, milliseconds: frame.delayMilliseconds)
        }
    }
}
