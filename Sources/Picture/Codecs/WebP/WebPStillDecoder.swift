import StickerContainers
public import StickerRaster
public import StickerValues

/// Decodes still WebP through libwebp, lossy and lossless, with alpha, profile and orientation.
public struct WebPStillDecoder: StillDecoding {
    /// Known before decoding the pixels.
    public let header: ImageHeader
    private let source: SourceBytes
    private let chunks: Range<Int>

    /// Whether `source` must be opened by `WebPMovingDecoder` instead.
    public static func isAnimated(_ source: SourceBytes) -> Bool {
        source.withUnsafeBytes { bytes in
            guard let first = WebPChunks(bytes).first(where: { _ in true }),
                bytes.has("VP8X", at: first.start)
            else { return false }
            return bytes.byte(at: first.data.lowerBound).map {
                $0 & WebPBitstream.animationFlag != 0
            }
                ?? false
        }
    }

    /// Walks the chunks.
    /// - Throws: `CodecError` if they break the format or `limits`.
    public init(_ source: SourceBytes, limits: DecodeLimits) throws(CodecError) {
        self.source = source
        (chunks, header) = try source.withUnsafeBytes { bytes throws(CodecError) in
            let summary = try WebPSummary(bytes, limits: limits)
            guard !summary.isAnimated, let picture = summary.frames.first else {
                throw CodecError(.malformed, .webp, "it is no still")
            }
            try limits.check(decoderBytes: summary.workingBytes, .webp)
            let kind = picture.isLossless ? "lossless" : "lossy"
            return (
                picture.chunks,
                try ImageHeader(summary, detail: picture.hasAlpha ? "\(kind) with alpha" : kind)
            )
        }
    }

    /// Always the stored size: scaling in libwebp is worse than ours and saves little.
    public func decodedSize(longSideAtLeast side: Int) -> PixelSize { header.size }

    /// Decodes all rows; see `StillDecoding`.
    public func decode(
        size: PixelSize, row: (UnsafeRawBufferPointer) throws(CodecError) -> Void
    ) throws(CodecError) {
        precondition(size == header.size)
        let memory = try LargeMemory(zeros: size.pixelCount * 4, .webp)
        let pixels = memory.bytes
        try source.withUnsafeBytes { bytes throws(CodecError) in
            try WebPPixels.decode(bytes.part(chunks), size: size, into: pixels)
        }
        let stride = size.width * 4
        for y in 0..<size.height {
            try row(UnsafeRawBufferPointer(pixels).part((y * stride)..<((y + 1) * stride)))
        }
    }
}

extension ImageHeader {
    /// - Throws: `CodecError` if the pixels had to be checked and are damaged.
    init(_ summary: WebPSummary, detail: String) throws(CodecError) {
        self.init(
            format: .webp, size: summary.size, layout: .rgba8, orientation: summary.orientation,
            hasAlpha: summary.hasAlpha, detail: detail)
        var facts = ColorFacts(.webp, pixels: .rgb)
        facts.profile = summary.profile
        if facts.hasGrayProfile, try summary.isGray() { facts.pixels = .gray }
        try describeColor(facts)
    }
}

extension WebPSummary {
    /// Whether every pixel of every frame is gray; WebP cannot declare that.
    fileprivate func isGray() throws(CodecError) -> Bool {
        for frame in frames {
            let size = frame.rectangle.size
            let memory = try LargeMemory(zeros: size.pixelCount * 4, .webp)
            try WebPPixels.decode(bytes.part(frame.chunks), size: size, into: memory.bytes)
            guard GrayPixels.areAll(in: UnsafeRawBufferPointer(memory.bytes)) else { return false }
        }
        return true
    }
}
