import StickerCodecs
import StickerContainers
import StickerRaster
import StickerValues

/// A decoded picture as plain bytes.
struct Decoded: Equatable {
    var size: PixelSize
    var layout: SampleLayout
    var bytes: [UInt8]

    /// The pixels at 8 bits a sample; 16 bits are rounded.
    var rgba8: [UInt8] {
        guard layout == .rgba16 else { return bytes }
        return stride(from: 0, to: bytes.count, by: 2).map { index in
            let sample = Int(bytes[index]) | Int(bytes[index + 1]) << 8
            return UInt8((sample + 128) / 257)
        }
    }

    subscript(x: Int, y: Int) -> [UInt8] {
        let pixel = layout.bytesPerPixel
        let offset = (y * size.width + x) * pixel
        return Array(bytes[offset..<(offset + pixel)])
    }
}

/// Decodes a still to its end, in full size or with the longer side at least `side`.
func decodeStill(
    _ source: SourceBytes, limits: DecodeLimits = DecodeLimits(), side: Int = .max
) throws(CodecError) -> Decoded {
    let decoder = try stillDecoder(source, limits: limits)
    let size = decoder.decodedSize(longSideAtLeast: side)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size.pixelCount * decoder.header.layout.bytesPerPixel)
    try decoder.decode(size: size) { bytes += $0 }
    return Decoded(size: size, layout: decoder.header.layout, bytes: bytes)
}

/// The decoder for the type that the bytes tell of.
func stillDecoder(
    _ source: SourceBytes, limits: DecodeLimits = DecodeLimits()
) throws(CodecError) -> any StillDecoding {
    switch ImageFormat.sniff(source) {
    case .picture(.png): try PNGDecoder(source, limits: limits)
    case .picture(.jpeg): try JPEGDecoder(source, limits: limits)
    case .picture(.webp): try WebPStillDecoder(source, limits: limits)
    case .picture(.bmp): try BMPDecoder(source, limits: limits)
    case let other: throw CodecError(.unsupported, .png, "not a still picture: \(other)")
    }
}

/// The decoder of animations for the type that the bytes tell of; GIF for all but PNG and WebP.
func animationDecoder(
    _ source: SourceBytes, limits: DecodeLimits = DecodeLimits()
) throws(CodecError) -> any AnimationDecoding {
    switch ImageFormat.sniff(source) {
    case .picture(.png): try APNGDecoder(source, limits: limits)
    case .picture(.webp): try WebPMovingDecoder(source, limits: limits)
    default: try GIFDecoder(source, limits: limits)
    }
}

/// The frames of an animation, each with the canvas as it looks then.
func decodeAnimation(
    _ source: SourceBytes, limits: DecodeLimits = DecodeLimits()
) throws(CodecError) -> [(frame: AnimationFrame, canvas: Decoded)] {
    let decoder = try animationDecoder(source, limits: limits)
    var frames: [(AnimationFrame, Decoded)] = []
    while let frame = try decoder.next() {
        let bytes = decoder.withCanvas { Array($0) }
        frames.append((frame, Decoded(size: decoder.header.size, layout: .rgba8, bytes: bytes)))
    }
    return frames
}
