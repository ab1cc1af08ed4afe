/// Warnings of texts that librsvg draws differently.
extension SVGRewriting {
    func noteText(_ element: SVGElement) {
        noteLetters(of: element)
        if element["rotate"] != nil { note(.differs, "letters that are turned (rotate)") }
        if element.attributes.contains(where: { $0.name == "space" && $0.value == "preserve" }),
            element.text.contains("  ")
        {
            note(.differs, "spaces between words that are kept")
        }
        if element["textLength"] != nil { note(.differs, "textLength") }
    }

    private func noteLetters(of element: SVGElement) {
        let scalars = element.text.unicodeScalars
        if scalars.contains(where: { Self.isRightToLeft($0.value) }) {
            note(.differs, "text from right to left")
        } else if scalars.contains(where: { Self.isOfOtherScript($0) }) {
            note(
                .differs,
                "letters beyond Latin, Greek and Cyrillic, for which browsers have other fonts")
        }
        if element.name == "text" {
            for name in ["fill", "stroke"] {
                guard let paint = target(of: inherited(name, for: element)), isRelative(paint),
                    paint.name != "linearGradient" || paint.part("y1") != paint.part("y2")
                else { continue }
                note(.differs, "\(paint.name) in parts of a text")
            }
            return
        }
        if ["clip-path", "mask", "filter"].contains(where: { element.has($0) }) {
            note(.differs, "a clip, mask or filter of a part of a text")
        }
        if element.value("text-anchor") != nil, element["x"] == nil, element["y"] == nil {
            note(.differs, "text-anchor of a part of a text")
        }
    }

    private static func isRightToLeft(_ scalar: UInt32) -> Bool {
        0x0590...0x08FF ~= scalar || 0xFB1D...0xFDFF ~= scalar || 0xFE70...0xFEFE ~= scalar
    }

    private static func isOfOtherScript(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic
            && (0x0530...0x1CFF ~= scalar.value || scalar.value >= 0x2E80)
    }
}
