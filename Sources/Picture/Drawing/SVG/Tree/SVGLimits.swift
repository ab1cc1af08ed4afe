import StickerCodecs
import StickerValues

/// The most that a drawing may have.
enum SVGLimits {
    /// The most bytes of a file; one with large embedded pictures has some millions.
    static let bytesMax = 16 << 20
    /// The most elements of a file. Maps and traced photos have some ten thousand.
    static let elementsMax = 200_000
    /// The deepest nesting of elements.
    static let depthMax = 200
    /// The most primitives of all filters.
    static let filterPrimitivesMax = 1000

    /// Refuses a value above a limit.
    static func check(
        _ value: Int, _ limit: Int, _ detail: String, _ unit: String
    ) throws(CodecError) {
        guard value > limit else { return }
        throw CodecError(
            .tooComplex, .svg, detail, measured: "\(value.grouped) \(unit)",
            limit: "\(limit.grouped) \(unit)")
    }

    /// Refuses a drawing with too many or too deeply nested elements.
    static func check(elements: Int, depth: Int, filterPrimitives: Int) throws(CodecError) {
        try check(elements, elementsMax, "the drawing has too many elements", "elements")
        try check(depth, depthMax, "elements are nested too deeply", "levels")
        try check(
            filterPrimitives, filterPrimitivesMax, "the filters are too many", "filter primitives")
    }
}
