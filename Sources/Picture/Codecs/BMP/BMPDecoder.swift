import StickerContainers
public import StickerRaster
public import StickerValues

/// Decodes Windows bitmaps, in Swift: Debian has no maintained library for them.
///
/// Palettes of 1, 2, 4 and 8 bits, plain and in runs, and colours of 16, 24 and 32 bits with any masks. Rows are
/// streamed, except those of runs, whose indices are held in memory. A fourth byte without a mask is no alpha, nor is
/// one that is 0 everywhere; pixels skipped by runs are transparent.
public struct BMPDecoder: StillDecoding {
    /// Known before decoding the pixels.
    public private(set) var header: ImageHeader
    private let source: SourceBytes
    private let info: BMPHeader

    /// Reads the headers.
    /// - Throws: `CodecError` if they break the format or `limits`.
    public init(_ source: SourceBytes, limits: DecodeLimits) throws(CodecError) {
        self.source = source
        (info, header) = try source.withUnsafeBytes { bytes throws(CodecError) in
            let info = try Self.info(bytes)
            try limits.check(info.size, .bmp)
            if case .runs = info.storage {
                let indices = info.size.pixelCount * MemoryLayout<UInt16>.size
                try limits.check(decoderBytes: indices, .bmp)
            }
            if let needed = info.pixelBytes, needed > bytes.count - info.pixelStart {
                throw CodecError(.truncated, .bmp, "the file ends before the picture does")
            }
            return (info, ImageHeader(info))
        }
        try header.describeColor(try colorFacts())
    }

    /// Bitmaps cannot declare that they are gray, so a gray profile requires a check of every pixel.
    private func colorFacts() throws(CodecError) -> ColorFacts {
        var facts = ColorFacts(.bmp, pixels: .rgb)
        facts.profile = source.withUnsafeBytes { bytes in
            info.profile.map { ColorFacts.Profile(bytes.part($0)) }
                ?? (info.lacksProfile ? .damaged("it is not in the file") : nil)
        }
        guard facts.hasGrayProfile else { return facts }
        var isGray = true
        try decode(size: header.size) { isGray = isGray && GrayPixels.areAll(in: $0) }
        if isGray { facts.pixels = .gray }
        return facts
    }

    /// Decodes all rows; see `StillDecoding`.
    public func decode(
        size: PixelSize, row: (UnsafeRawBufferPointer) throws(CodecError) -> Void
    ) throws(CodecError) {
        precondition(size == header.size)
        let memory = try LargeMemory(zeros: size.width * 4, .bmp)
        let pixels = memory.bytes.assumingMemoryBound(to: SIMD4<UInt8>.self)
        try source.withUnsafeBytes { bytes throws(CodecError) in
            let colors = BMPPalette(info, bytes)
            let channels = BMPChannels(info, bytes)
            let runs = try runs(bytes)
            for y in 0..<size.height {
                let stored = bytes.rowOfBitmap(y, info)
                switch info.storage {
                case .runs: try colors.expand(runs?.row(y), into: pixels)
                case .palette: try colors.expand(stored, bits: info.bits, into: pixels)
                case .bgr: Self.expand(stored, into: pixels)
                case .masked: channels.expand(stored, into: pixels)
                }
                try row(UnsafeRawBufferPointer(memory.bytes))
            }
        }
    }

    private func runs(_ bytes: UnsafeRawBufferPointer) throws(CodecError) -> BMPRuns? {
        guard case .runs = info.storage else { return nil }
        return try BMPRuns(info, bytes)
    }

    private static func info(_ bytes: UnsafeRawBufferPointer) throws(CodecError) -> BMPHeader {
        do {
            return try BMPHeader(bytes)
        } catch {
            switch error {
            case .truncated:
                throw CodecError(.truncated, .bmp, "the file ends within its header")
            case .malformed(let why): throw CodecError(.malformed, .bmp, why)
            case .unsupported(let why): throw CodecError(.unsupported, .bmp, why)
            }
        }
    }

    private static func expand(
        _ stored: UnsafeRawBufferPointer, into pixels: UnsafeMutableBufferPointer<SIMD4<UInt8>>
    ) {
        precondition(stored.count >= pixels.count * 3)
        for x in pixels.indices {
            pixels[x] = SIMD4(stored[3 * x + 2], stored[3 * x + 1], stored[3 * x], 255)
        }
    }
}

extension UnsafeRawBufferPointer {
    /// The stored bytes of row `y` from the top; the padding of the last one may be missing.
    fileprivate func rowOfBitmap(_ y: Int, _ info: BMPHeader) -> UnsafeRawBufferPointer {
        if case .runs = info.storage { return UnsafeRawBufferPointer(start: nil, count: 0) }
        let index = info.isTopDown ? y : info.size.height - 1 - y
        let start = info.pixelStart + index * info.rowBytes
        return part(start..<Swift.min(start + info.rowBytes, count))
    }
}

extension ImageHeader {
    fileprivate init(_ info: BMPHeader) {
        let kind =
            switch info.storage {
            case .palette: "palette"
            case .runs: "palette, in runs"
            case .bgr, .masked: "RGB"
            }
        let isRuns = if case .runs = info.storage { true } else { false }
        self.init(
            format: .bmp, size: info.size, layout: .rgba8,
            hasAlpha: isRuns || info.masks.last ?? 0 != 0, detail: "\(info.bits) bit \(kind)")
    }
}
