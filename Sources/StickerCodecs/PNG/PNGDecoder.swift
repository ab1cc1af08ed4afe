import CPNG
import StickerContainers
public import StickerModel
public import StickerRaster

/// Decodes PNG through libpng: every colour type and depth to RGBA, of an APNG the default image.
///
/// 16-bit pictures stay 16 bit; no gamma and no background is applied. Rows stream, except those of
/// an interlaced picture, which is held in memory whole.
public struct PNGDecoder: StillDecoding {
    /// What is known before the pixels.
    public let header: ImageHeader
    private let source: SourceBytes
    private let isInterlaced: Bool

    /// Reads the header.
    /// - Throws: `CodecError` when it breaks the format or `limits`.
    public init(_ source: SourceBytes, limits: DecodeLimits) throws(CodecError) {
        self.source = source
        (header, isInterlaced) = try source.withUnsafeBytes { bytes throws(CodecError) in
            let metadata = try PNGMetadata(bytes)
            try limits.check(metadata.size, .png)
            let reader = try PNGReader(bytes)
            let header = ImageHeader(metadata, reader)
            if reader.info.interlaced {
                let pixels = metadata.size.pixelCount * header.layout.bytesPerPixel
                try limits.check(decoderBytes: pixels, .png)
            }
            return (header, reader.info.interlaced)
        }
    }

    /// Always the stored size: PNG has no smaller one.
    public func decodedSize(longSideAtLeast side: Int) -> PixelSize { header.size }

    /// Decodes all rows; see `StillDecoding`.
    public func decode(
        size: PixelSize, row: (UnsafeRawBufferPointer) throws(CodecError) -> Void
    ) throws(CodecError) {
        precondition(size == header.size)
        try source.withUnsafeBytes { bytes throws(CodecError) in
            let reader = try PNGReader(bytes)
            let rowsHeld = isInterlaced ? size.height : 1
            // Zeros: libpng leaves the pixels of passes that a small picture does not have alone.
            let memory = try LargeMemory(zeros: rowsHeld * reader.info.row_bytes, .png)
            let rows = memory.bytes
            if isInterlaced {
                try reader.readInterlaced(into: rows, row: row)
            } else {
                for _ in 0..<size.height {
                    try reader.read(row: rows)
                    try row(UnsafeRawBufferPointer(rows))
                }
            }
            try reader.finish()
        }
    }
}

extension PNGReader {
    fileprivate borrowing func readInterlaced(
        into pixels: UnsafeMutableRawBufferPointer,
        row: (UnsafeRawBufferPointer) throws(CodecError) -> Void
    ) throws(CodecError) {
        try read(image: pixels)
        for y in 0..<Int(info.height) {
            try row(
                UnsafeRawBufferPointer(pixels).part(
                    (y * info.row_bytes)..<((y + 1) * info.row_bytes)))
        }
    }
}

extension ImageHeader {
    fileprivate init(_ metadata: PNGMetadata, _ reader: borrowing PNGReader) {
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
            color: .sRGB,
            detail: "\(info.bit_depth) bit \(kind)\(info.interlaced ? ", interlaced" : "")")
        if metadata.isAnimated {
            warnings.append(
                Warning("apng-first-frame", "only the still picture of the APNG is used"))
        }
        if let profile = reader.profile {
            color = .icc(profile)
        } else if metadata.hasProfile {
            warnings.append(Warning("bad-profile", "the colour profile is damaged and was ignored"))
        }
        if case .sRGB = color, !metadata.isSRGB, let gamma = metadata.gamma, gamma > 0 {
            color = .gamma(gamma)
        }
    }
}
