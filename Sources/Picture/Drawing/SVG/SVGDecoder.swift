package import StickerCodecs
import StickerContainers
package import StickerRaster
package import StickerValues

/// Draws an SVG or SVGZ through librsvg, in any size.
///
/// It opens only font files, and starts threads: only a worker with the profile for drawing can use this.
package struct SVGDecoder: StillDecoding {
    /// Known before drawing the pixels. The size has the proportions of the drawing, and more pixels than stickers
    /// have.
    package let header: ImageHeader
    private let document: SVGDocument

    /// The longer side, if the limits allow it.
    static let side = 2048

    /// Parses the file and checks it.
    ///
    /// - Parameters:
    ///   - source: the file.
    ///   - limits: of the drawn pixels.
    ///   - fonts: the fonts of its texts, for warnings of missing ones.
    /// - Throws: `CodecError` if it breaks the format or the limits.
    package init(
        _ source: SourceBytes, limits: DecodeLimits, fonts: FontFolder?
    ) throws(CodecError) {
        let shared = SVGShared(limits: limits, fonts: fonts)
        let elements: Int
        (document, elements) = try Self.opened(source, shared, isEmbedded: false)
        let size = Self.size(of: document.view, limits)
        try limits.check(size, .svg)
        // Cairo's pixels and ours.
        try limits.check(decoderBytes: size.pixelCount * 8, .svg)
        header = ImageHeader(
            format: .svg, size: size, layout: .rgba8, hasAlpha: true,
            detail: elements.counted("element", "elements"), warnings: shared.notes.warnings,
            unknownCharacters: fonts == nil ? nil : GlyphCheck.unknown(among: shared.characters))
    }

    private static func opened(
        _ source: SourceBytes, _ shared: SVGShared, isEmbedded: Bool
    ) throws(CodecError) -> (SVGDocument, elements: Int) {
        let text = try SVGText.of(source, shared.limits)
        let content = try text.withUnsafeBytes { bytes throws(CodecError) in
            try check(bytes)
            return SVGContent(bytes)
        }
        let rewritten = try SVGSource(text, shared: shared, isEmbedded: isEmbedded)
        for name in content.missingFamilies(shared.fonts) { shared.note(.font, name) }
        let document = try SVGDocument(rewritten.bytes)
        // librsvg reads longer files than libxml2 does at once.
        guard rewritten.isRead else {
            throw CodecError(
                .tooComplex, .svg, "its XML is too large to be checked before it is drawn",
                measured: "\(text.count.grouped) bytes", limit: "10,000,000 bytes")
        }
        return (document, content.elements)
    }

    /// The pixels of a drawing that is a picture in another.
    ///
    /// - Parameters:
    ///   - source: the file.
    ///   - shared: the state shared with the containing drawing.
    ///   - proportions: width by height of its place; a drawing without a size fills it.
    ///   - side: the longer side of the result.
    /// - Returns: straight pixels.
    /// - Throws: `CodecError` if it breaks the format or the limits.
    static func drawing(
        _ source: SourceBytes, shared: SVGShared, proportions: Double?, side: Int
    ) throws(CodecError) -> PixelBuffer {
        let (document, _) = try opened(source, shared, isEmbedded: true)
        let own = document.view.width / document.view.height
        let given = proportions.flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
        // The sides are finite, but the ratio may be infinite or 0.
        let ratio = min(max(document.hasSize ? own : given ?? own, 1e-6), 1e6)
        let other = max(1, Int(Double(side) * min(ratio, 1 / ratio)))
        return try document.draw(
            size: ratio > 1
                ? PixelSize(width: side, height: other) : PixelSize(width: other, height: side))
    }

    /// Creates a decoder without font warnings; see the other initialiser.
    package init(_ source: SourceBytes, limits: DecodeLimits) throws(CodecError) {
        try self.init(source, limits: limits, fonts: nil)
    }

    private static func size(of view: SVGDocument.View, _ limits: DecodeLimits) -> PixelSize {
        let (long, short) = (max(view.width, view.height), min(view.width, view.height))
        let area = Double(limits.framePixelsMax) * long / short
        let side = min(Double(min(Self.side, limits.sidePixelsMax)), area.squareRoot())
        let other = max(1, Int(side * short / long))
        return view.width > view.height
            ? PixelSize(width: Int(side), height: other)
            : PixelSize(width: other, height: Int(side))
    }

    private static func check(_ bytes: UnsafeRawBufferPointer) throws(CodecError) {
        try SVGLimits.check(bytes.count, SVGLimits.bytesMax, "the drawing is too large", "bytes")
        let outline = SVGOutline(bytes)
        try SVGLimits.check(
            elements: outline.elements, depth: outline.depth,
            filterPrimitives: outline.filterPrimitives)
        guard outline.isWhole else {
            throw CodecError(.truncated, .svg, "the file ends within an element")
        }
    }

    /// A drawing has no pixels of its own.
    package var isDrawnInAnySize: Bool { true }

    /// Draws the picture in any size, all rows at once; see `StillDecoding`.
    package func decode(
        size: PixelSize, row: (UnsafeRawBufferPointer) throws(CodecError) -> Void
    ) throws(CodecError) {
        let pixels = try document.draw(size: size)
        guard !pixels.isBlank else {
            throw CodecError(.noFrames, .svg, "no part of it is visible")
        }
        try pixels.withUnsafeBytes { bytes throws(CodecError) in
            for y in 0..<size.height {
                try row(
                    UnsafeRawBufferPointer(
                        rebasing: bytes[(y * pixels.stride)...].prefix(size.width * 4)))
            }
        }
    }
}
