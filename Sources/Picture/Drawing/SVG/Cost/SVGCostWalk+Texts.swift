import StickerCodecs

extension SVGCostWalk {
    /// Texts with `data-fit` are drawn by us, wherever they are.
    mutating func countFitted(
        in root: SVGElement, _ place: Place
    ) throws(CodecError) {
        for text in root.all where Self.isFitted(text) {
            try count(text, place.within(traits(of: text)))
        }
    }

    private static func isFitted(_ element: SVGElement) -> Bool {
        element.name == "text" && element["data-fit"] != nil && element.elements.isEmpty
    }

    mutating func countText(_ text: SVGElement, _ place: Place) throws(CodecError) {
        guard !Self.isFitted(text) else { return }
        for part in text.all { try count(part, place.within(traits(of: part))) }
    }

    /// Layout costs as much as two glyphs or more, and a long line more than its parts.
    mutating func count(_ part: SVGElement, _ place: Place) throws(CodecError) {
        var (glyphs, pixels) = (2.0, 0.0)
        let size = part.style.fontSize * place.matrix.reach
        let shown = min(size * size, place.visible.area)
        for scalar in part.text.unicodeScalars {
            glyphs += 1
            // Pictures of emoji are scaled as a whole.
            let isPicture = scalar.properties.isEmoji && !scalar.isASCII
            pixels += isPicture ? 16 * size * size : shown / 2
        }
        glyphs += glyphs * glyphs / 8000
        // It is laid out and drawn in the requested size, and in the one that fits.
        if Self.isFitted(part) { (glyphs, pixels) = (2 * glyphs, 2 * pixels) }
        if place.stroke != .none { (glyphs, pixels) = (3 * glyphs, 3 * pixels) }
        try cost.add(.glyphs, glyphs)
        try cost.add(.painting, pixels)
        for case .server(let id) in [place.fill, place.stroke] {
            guard let server = named[id] else { continue }
            if server.name == "pattern" {
                try countPattern(server, place.visible, traits(of: part), place)
            } else {
                try countGradient(server, place.visible)
            }
        }
    }
}
