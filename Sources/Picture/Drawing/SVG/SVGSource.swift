import StickerCodecs
import StickerContainers
import StickerRaster
import StickerValues

/// A drawing in a form that librsvg reads, and the losses on the way.
struct SVGSource {
    /// The file: unchanged, if librsvg understands all of it.
    let bytes: SourceBytes
    /// Whether our reader understood it, so that its work is known.
    let isRead: Bool

    /// The most bytes of texts and values of a file, with entities.
    private static let textBytesMax = 32 << 20
    /// The most bytes of declarations in all elements.
    private static let styleBytesMax = 16 << 20

    /// Rewrites a drawing.
    ///
    /// - Parameters:
    ///   - source: a file within the limits of `SVGDecoder`.
    ///   - shared: receives the losses.
    ///   - isEmbedded: whether it is embedded in a drawing; then it may not contain further drawings.
    /// - Throws: `CodecError` if an element has too many attributes, it breaks the limits of `SVGDecoder` once entities
    ///   are replaced, or drawing it is too much work.
    init(
        _ source: SourceBytes, shared: SVGShared, isEmbedded: Bool = false
    ) throws(CodecError) {
        let tree: SVGTree? = try source.withUnsafeBytes { bytes throws(CodecError) in
            try Self.checkAttributes(bytes)
            return try SVGTree(bytes, textBytesMax: Self.textBytesMax)
        }
        // librsvg reports the XML error.
        guard let tree else {
            (bytes, isRead) = (source, false)
            return
        }
        let rewriting = SVGRewriting(
            tree, shared: shared, elementsMax: SVGLimits.elementsMax)
        try rewriting.rewrite(isEmbedded: isEmbedded)
        shared.cost = try SVGCostWalk.cost(
            of: tree.root, named: tree.elementsByID(),
            side: isEmbedded ? SVGRewriting.side : SVGDecoder.side, after: shared.cost)
        shared.characters.formUnion(SVGDrawnTexts(rewriting).characters)
        var isWritten = rewriting.isChanged
        if isWritten, rewriting.isStyleForeign,
            !rewriting.writeStyles(bytesMax: Self.styleBytesMax)
        {
            rewriting.note(.differs, "styles that are too long to be rewritten")
            isWritten = false
        }
        isRead = true
        bytes = isWritten ? SourceBytes(tree.bytes()) : source
    }

    /// The most attributes of one element: libxml2 compares each with all others.
    private static let attributesMax = 4000

    private static func checkAttributes(_ bytes: UnsafeRawBufferPointer) throws(CodecError) {
        // Each takes four bytes at least.
        for tag in XMLTags(bytes) where tag.attributes.count > 4 * attributesMax {
            let count = XMLAttributes(bytes, of: tag).reduce(0) { sum, _ in sum + 1 }
            try SVGLimits.check(
                count, attributesMax, "an element has too many attributes", "attributes")
        }
    }
}

extension SVGRewriting {
    /// All rewrites, in an order in which each sees the results of the previous ones.
    ///
    /// - Throws: `CodecError` if there are too many styles to compare.
    fileprivate func rewrite(isEmbedded: Bool) throws(CodecError) {
        var cascade = SVGCascade(root)
        guard cascade.isComplete else {
            let limit = SVGCascade.stepsMax.grouped
            throw CodecError(
                .tooComplex, .svg, "its styles are too many to be compared",
                measured: "more than \(limit) steps", limit: "\(limit) steps")
        }
        if cascade.isForeign { (isChanged, isStyleForeign) = (true, true) }
        rewriteUses(&cascade)
        noteUnsupported()
        rewriteStructure()
        rewriteTransforms()
        rewriteFilterFunctions()
        rewriteDropShadows()
        rewriteBoxes()
        rewriteClips()
        rewriteTexts()
        noteCircles()
        rewritePictures { bytes, proportions throws(CodecError) in
            try self.draw(bytes, proportions, isEmbedded: isEmbedded)
        }
        if isChanged, cascade.hasTaken { isStyleForeign = true }
    }

    /// The longer side of an embedded drawing: twice a sticker.
    static let side = 1024

    private func draw(
        _ bytes: [UInt8], _ proportions: Double?, isEmbedded: Bool
    ) throws(CodecError) -> PixelBuffer {
        guard !isEmbedded else {
            throw CodecError(.unsupported, .svg, "a drawing in a drawing in a drawing")
        }
        return try SVGDecoder.drawing(
            SourceBytes(bytes), shared: shared, proportions: proportions, side: Self.side)
    }
}
