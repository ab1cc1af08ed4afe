public import StickerValues

/// Examines the outer structure of a file without decoding it.
public enum Container {
    /// Whether a file that may still be growing is complete.
    public enum Completeness: Sendable, Hashable {
        /// The structure ends exactly where the file does.
        case whole
        /// The structure ends, and other bytes follow, which decoders ignore.
        case followed
        /// The file ends early, or the structure is damaged.
        case unfinished
        /// An unsupported format, or a compressed drawing.
        case unrecognised
    }

    /// Walks PNG chunks to IEND, GIF blocks to the trailer, JPEG markers to EOI, WebP chunks to the stated end, boxes
    /// of AVIF and HEIC to the last, elements of an SVG to the end of the outermost; a BMP and a TIFF must contain
    /// their pixels, whatever follows.
    ///
    /// Reads each byte at most once, trusts no length and allocates nothing that grows with one.
    public static func completeness(of source: SourceBytes) -> Completeness {
        guard case .picture(let format) = ImageFormat.sniff(source) else { return .unrecognised }
        return source.withUnsafeBytes { bytes in
            // The end of a compressed drawing is known only after inflating it.
            if format == .svg, GzipHead.begins(bytes) { return .unrecognised }
            guard let end = end(of: format, bytes), end <= bytes.count else { return .unfinished }
            return end == bytes.count ? .whole : .followed
        }
    }

    private static func end(of format: ImageFormat, _ bytes: UnsafeRawBufferPointer) -> Int? {
        switch format {
        case .png: PNGChunks(bytes).end
        case .gif: GIFBlocks.end(bytes)
        case .jpeg: JPEGSegments.end(bytes)
        case .webp: WebPChunks.end(bytes)
        case .tiff: TIFFOutline(bytes)?.isWhole == true ? bytes.count : nil
        case .avif, .heic: HEIFOutline.end(bytes)
        case .bmp: BMPHeader.isWhole(bytes) ? bytes.count : nil
        case .svg: SVGOutline(bytes).isWhole ? bytes.count : nil
        }
    }
}
