/// The number of elements in an SVG (W3C, Scalable Vector Graphics 1.1), without drawing it.
package struct SVGOutline: Hashable, Sendable {
    /// Elements of any kind.
    package private(set) var elements = 0
    /// The greatest depth of elements.
    package private(set) var depth = 0
    /// Primitives of filters, each a pass over the pixels.
    package private(set) var filterPrimitives = 0
    /// Whether the outermost element ends, and nothing follows it.
    package private(set) var isWhole = false

    /// The longest text before the drawing of any tool.
    private static let prologBytesMax = 1 << 20

    /// Whether the first element is that of a drawing, which may be compressed or in UTF-16.
    package static func begins(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if let content = GzipHead.content(of: bytes) {
            return content.withUnsafeBytes { !GzipHead.begins($0) && begins($0) }
        }
        if let text = UTF16Text.utf8(bytes, atMost: 2 * prologBytesMax) {
            return text.withUnsafeBytes(beginsPlain)
        }
        return beginsPlain(bytes)
    }

    private static func beginsPlain(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let head = UnsafeRawBufferPointer(rebasing: bytes.prefix(prologBytesMax))
        var tags = XMLTags(head)
        guard let name = tags.skipProlog() else { return false }
        return name.count == 3 && head.has("svg", at: name.lowerBound)
    }

    /// Walks all tags of a drawing that is not compressed.
    package init(_ bytes: UnsafeRawBufferPointer) {
        if let text = UTF16Text.utf8(bytes) {
            self = text.withUnsafeBytes { SVGOutline(plain: $0) }
        } else {
            self.init(plain: bytes)
        }
    }

    private init(plain bytes: UnsafeRawBufferPointer) {
        var tags = XMLTags(bytes)
        var open = 0
        while let tag = tags.next() {
            switch tag.kind {
            case .end: open -= 1
            case .start, .empty:
                elements += 1
                depth = max(depth, open + 1)
                if bytes.has("fe", at: tag.name.lowerBound), tag.name.count > 2 {
                    filterPrimitives += 1
                }
                if tag.kind == .start { open += 1 }
            }
            guard open <= 0 else { continue }
            // Anything allowed before a drawing may also follow it.
            _ = tags.skipProlog()
            isWhole = open == 0 && tags.isAtEnd
            return
        }
    }
}
