import StickerCodecs
import StickerPipeline
import StickerRaster
import StickerValues

/// A picture within a drawing, decoded by our own decoders: upright, in sRGB.
struct EmbeddedPicture {
    private let opened: OpenedPicture

    /// Recognises a picture by its bytes, and checks it against the limits.
    ///
    /// - Throws: `CodecError` if this program has no decoder for it, or it is faulty or too large.
    init(
        _ format: ImageFormat, _ bytes: [UInt8], readers: PictureReaders, limits: DecodeLimits
    ) throws(CodecError) {
        guard let open = readers[format] else {
            throw CodecError(.unsupported, format, "it is not read within a drawing")
        }
        opened = try open(SourceBytes(bytes), limits, true, nil)
    }

    private var header: ImageHeader { opened.header }

    /// The upright size.
    var size: PixelSize { header.orientation.transposes ? header.size.transposed : header.size }

    /// Whether other decoders show the same: it is upright, and its numbers are sRGB.
    var isPlain: Bool {
        header.orientation == .up && !header.layout.isInk && ColorConversion(header).isIdentity
    }

    /// The pixels, or those of the first frame.
    ///
    /// - Throws: `CodecError` if they are damaged.
    consuming func pixels() throws(CodecError) -> PixelBuffer {
        let orientation = header.orientation
        switch opened {
        case .still(let decoder): return try Self.pixels(of: decoder).oriented(orientation)
        case .animation(let decoder):
            var pixels = PixelBuffer(size: header.size)
            guard try decoder.next() != nil else {
                throw CodecError(.noFrames, header.format, "it has no frame")
            }
            decoder.withCanvas { canvas in
                pixels.withUnsafeMutableBytes { $0.copyMemory(from: canvas) }
            }
            return pixels.oriented(orientation)
        }
    }

    /// Pictures larger than any sticker are read in a smaller size if that costs nothing.
    private static let sideMax = 4096

    private static func pixels(
        of decoder: any StillDecoding
    ) throws(CodecError) -> PixelBuffer {
        let size = decoder.decodedSize(longSideAtLeast: sideMax)
        let conversion = ColorConversion(decoder.header)
        var pixels = PixelBuffer(size: size)
        let stride = pixels.stride
        var y = 0
        try decoder.decode(size: size) { row throws(CodecError) in
            let converted = conversion.convert(row: row, pixels: size.width)
            pixels.withUnsafeMutableBytes { target in
                let line = UnsafeMutableRawBufferPointer(
                    rebasing: target[(y * stride)...].prefix(size.width * 4))
                guard conversion.layout == .rgba16 else {
                    line.copyMemory(
                        from: UnsafeRawBufferPointer(rebasing: converted.prefix(size.width * 4)))
                    return
                }
                for index in 0..<size.width * 4 {
                    let sample = converted.load(fromByteOffset: index * 2, as: UInt16.self)
                    line[index] = UInt8((UInt32(sample) * 255 + 32_767) / 65_535)
                }
            }
            y += 1
        }
        return pixels
    }
}
