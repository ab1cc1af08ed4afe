import CPNG
import StickerContainers
public import StickerRaster
public import StickerValues

/// Decodes PNG through libpng: every colour type and depth to RGBA. It decodes the default image of an APNG.
///
/// 16-bit pictures stay 16-bit; neither gamma nor background is applied. Rows are streamed, except those of an
/// interlaced picture, which is held in memory as a whole, and those that libdeflate can inflate (`PNGInflated`).
public struct PNGDecoder: StillDecoding {
    /// Known before decoding the pixels.
    public let header: ImageHeader
    private let source: SourceBytes
    private let isDamaged: Bool

    /// Reads the header.
    /// - Throws: `CodecError` if it breaks the format or `limits`.
    public init(_ source: SourceBytes, limits: DecodeLimits) throws(CodecError) {
        try self.init(source, limits: limits, isDamaged: false)
    }

    /// Reads the header; for a damaged picture, `decode` delivers the available rows before it throws.
    /// - Throws: `CodecError` if it breaks the format or `limits`.
    public init(
        _ source: SourceBytes, limits: DecodeLimits, isDamaged: Bool
    ) throws(CodecError) {
        self.source = source
        self.isDamaged = isDamaged
        header = try source.withUnsafeBytes { bytes throws(CodecError) in
            let metadata = try PNGMetadata(bytes)
            try limits.check(metadata.size, .png)
            let reader = try PNGReader(bytes)
            let header = try ImageHeader(metadata, reader)
            if reader.info.interlaced {
                let pixels = metadata.size.pixelCount * header.layout.bytesPerPixel
                try limits.check(decoderBytes: pixels, .png)
            }
            return header
        }
    }

    /// Decodes all rows; see `StillDecoding`.
    public func decode(
        size: PixelSize, row: (UnsafeRawBufferPointer) throws(CodecError) -> Void
    ) throws(CodecError) {
        precondition(size == header.size)
        try source.withUnsafeBytes { bytes throws(CodecError) in
            let reader = try PNGReader(bytes)
            if isDamaged {
                try reader.takeSmallParts()
            } else if let inflated = PNGInflated(bytes, reader.info) {
                return try inflated.readRows(row)
            }
            try reader.readRows(row)
            try reader.finish()
        }
    }
}

extension PNGReader {
    /// Reads all rows and calls `row` for each, top to bottom; a row is valid only during the call.
    ///
    /// An interlaced picture is held in memory as a whole.
    borrowing func readRows(
        _ row: (UnsafeRawBufferPointer) throws(CodecError) -> Void
    ) throws(CodecError) {
        let rowsHeld = info.interlaced ? Int(info.height) : 1
        // Zeros: a small picture lacks some passes, and libpng leaves their pixels alone.
        let memory = try LargeMemory(zeros: rowsHeld * info.row_bytes, .png)
        if info.interlaced { try read(image: memory.bytes) }
        for y in 0..<Int(info.height) {
            let start = info.interlaced ? y * info.row_bytes : 0
            let place = memory.bytes[start..<(start + info.row_bytes)]
            if !info.interlaced { try read(row: UnsafeMutableRawBufferPointer(rebasing: place)) }
            try row(UnsafeRawBufferPointer(rebasing: place))
        }
    }
}

extension ImageHeader {
    /// Creates the header of the default image from `reader` and the other chunks.
    /// - Throws: `CodecError.unsupported` for brightness beyond white.
    init(_ metadata: PNGMetadata, _ reader: borrowing PNGReader) throws(CodecError) {
        let info = reader.info
        let kind =
            switch info.color_type {
            case 0: "gray"
            case 2: "RGB"
            case 3: "palette"
            case 4: "gray with alpha"
            default: "RGBA"
            }
        self.init(
            format: .png, size: metadata.size, layout: info.bit_depth == 16 ? .rgba16 : .rgba8,
            orientation: metadata.orientation, hasAlpha: info.has_alpha,
            detail: "\(info.bit_depth) bit \(kind)\(info.interlaced ? ", interlaced" : "")")
        try describeColor(metadata.colors)
    }
}
