public import StickerValues

/// The amount of data to decode in a file, by its headers alone, to estimate the cost.
///
/// Nothing is checked against limits, and the pixels may be damaged.
public struct PictureOutline: Hashable, Sendable {
    /// Detected from the first bytes.
    public var format: ImageFormat
    /// The size of the picture, or of the canvas of a GIF.
    public var size: PixelSize
    /// Images in a GIF, frames in an APNG, a WebP or an AVIF; 1 in stills.
    public var frames = 1
    /// Scans of a JPEG; 1 in other formats.
    public var scans = 1
    /// Whether it is an interlaced PNG or a progressive JPEG, which is held in memory as a whole.
    public var isInterlacedOrProgressive = false
    /// Whether it is an arithmetic-coded JPEG, several times slower than others.
    public var isArithmetic = false
    /// Whether it is a JPEG or TIFF of four inks: cyan, magenta, yellow and black.
    public var isCMYK = false

    /// Creates an outline of a picture with one frame and one scan.
    public init(format: ImageFormat, size: PixelSize) {
        self.format = format
        self.size = size
    }

    /// Pixels of all frames and scans, or `Int.max` if they do not fit an `Int`.
    public var workPixels: Int {
        let (product, overflow) = size.pixelCount.multipliedReportingOverflow(by: frames * scans)
        return overflow ? .max : product
    }

    /// Reads the headers; `nil` for unsupported files and without a size.
    public static func read(_ source: SourceBytes) -> PictureOutline? {
        guard case .picture(let format) = ImageFormat.sniff(source) else { return nil }
        return source.withUnsafeBytes { bytes in
            switch format {
            case .png: png(bytes)
            case .jpeg: jpeg(bytes)
            case .gif: gif(bytes)
            case .webp: webp(bytes)
            case .bmp: bmp(bytes)
            case .tiff: tiff(bytes)
            case .avif, .heic: heif(bytes, format)
            case .svg: PictureOutline(format: .svg, size: drawing)
            }
        }
    }

    /// The assumed size of an SVG: it has no pixels, and is drawn as large as needed.
    private static let drawing = PixelSize(width: 2048, height: 2048)

    /// Whether `source` is a JPEG or TIFF in CMYK, as `isCMYK` of its outline, without reading its scans.
    public static func isCMYK(_ source: SourceBytes) -> Bool {
        source.withUnsafeBytes { bytes in
            if TIFFOutline.begins(bytes) { return TIFFOutline(bytes)?.isCMYK ?? false }
            return JPEGSegments(bytes).lazy.prefix { $0.marker != JPEGMarker.sos }
                .first { JPEGMarker.isFrame($0.marker) }
                .flatMap { frame($0, bytes)?.isCMYK } ?? false
        }
    }

    private static func png(_ bytes: UnsafeRawBufferPointer) -> PictureOutline? {
        var chunks = PNGChunks(bytes)
        guard let header = chunks.next(), header.type == PNGChunkType.ihdr,
            header.data.count == 13, let width = bytes.bigEndian32(at: header.data.lowerBound),
            let height = bytes.bigEndian32(at: header.data.lowerBound + 4)
        else { return nil }
        var outline = PictureOutline(
            format: .png, size: PixelSize(width: width, height: height))
        outline.isInterlacedOrProgressive = bytes[header.data.upperBound - 1] != 0
        if PNGAnimationControl.find(in: bytes) != nil {
            // Counts the actual frames: the promised number may be anything.
            outline.frames = max(1, chunks.count { $0.type == PNGChunkType.fctl })
        }
        return outline
    }

    private static func jpeg(_ bytes: UnsafeRawBufferPointer) -> PictureOutline? {
        var outline: PictureOutline?
        var scans = 0
        for segment in JPEGSegments(bytes) {
            if segment.marker == JPEGMarker.eoi { break }
            if segment.marker == JPEGMarker.sos { scans += 1 }
            guard JPEGMarker.isFrame(segment.marker), outline == nil else { continue }
            outline = frame(segment, bytes)
        }
        outline?.scans = max(1, scans)
        return outline
    }

    /// The low two bits of a frame marker give its process, the fourth one means arithmetic coding.
    private static func frame(
        _ segment: JPEGSegments.Segment, _ bytes: UnsafeRawBufferPointer
    ) -> PictureOutline? {
        let data = bytes.part(segment.data)
        guard let height = data.bigEndian16(at: 1), let width = data.bigEndian16(at: 3) else {
            return nil
        }
        var outline = PictureOutline(
            format: .jpeg, size: PixelSize(width: width, height: height))
        outline.isInterlacedOrProgressive = segment.marker & 0x03 == 2
        outline.isArithmetic = segment.marker & 0x08 != 0
        outline.isCMYK = data.byte(at: 5) == 4
        return outline
    }

    private static func gif(_ bytes: UnsafeRawBufferPointer) -> PictureOutline? {
        guard let size = GIFBlocks.canvasSize(bytes) else { return nil }
        var outline = PictureOutline(format: .gif, size: size)
        outline.frames = 0
        var blocks = GIFBlocks(bytes)
        while let block = blocks.next() {
            if case .image = block { outline.frames += 1 }
        }
        return outline
    }

    private static func webp(_ bytes: UnsafeRawBufferPointer) -> PictureOutline? {
        var chunks = WebPChunks(bytes)
        guard let first = chunks.next() else { return nil }
        let data = bytes[first.data]
        guard bytes.has("VP8X", at: first.start) else {
            let isLossless = bytes.has("VP8L", at: first.start)
            return (isLossless ? WebPBitstream(lossless: data) : WebPBitstream(lossy: data))
                .map { PictureOutline(format: .webp, size: $0.size) }
        }
        guard first.data.count >= 10, let canvas = bytes.webpSides(at: first.data.lowerBound + 4)
        else { return nil }
        var outline = PictureOutline(format: .webp, size: canvas)
        if data[first.data.lowerBound] & WebPBitstream.animationFlag != 0 {
            outline.frames = chunks.count { bytes.has("ANMF", at: $0.start) }
        }
        return outline
    }

    private static func tiff(_ bytes: UnsafeRawBufferPointer) -> PictureOutline? {
        guard let found = TIFFOutline(bytes) else { return nil }
        var outline = PictureOutline(format: .tiff, size: found.size)
        outline.isCMYK = found.isCMYK
        return outline
    }

    private static func heif(
        _ bytes: UnsafeRawBufferPointer, _ format: ImageFormat
    ) -> PictureOutline? {
        guard let found = HEIFOutline(bytes) else { return nil }
        var outline = PictureOutline(format: format, size: found.size)
        // A film that goes with a HEIC is not read.
        if format == .avif { outline.frames = found.frames }
        return outline
    }

    private static func bmp(_ bytes: UnsafeRawBufferPointer) -> PictureOutline? {
        // The decoder reports the error.
        guard let header = try? BMPHeader(bytes) else { return nil }
        return PictureOutline(format: .bmp, size: header.size)
    }
}
