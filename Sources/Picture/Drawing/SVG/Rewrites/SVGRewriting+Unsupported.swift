/// Features that librsvg does not draw and that no rewrite can replace.
extension SVGRewriting {
    func noteUnsupported() {
        let hasMarkers = named.values.contains { $0.name == "marker" }
        if root["transform"] != nil { note(.differs, "a transform of the whole drawing") }
        for element in elements {
            guard element.isSVG else {
                noteForeign(element)
                continue
            }
            noteElement(element)
            if hasMarkers { noteMarkers(of: element) }
            noteProperties(of: element)
            notePrimitive(element)
        }
    }

    private func noteForeign(_ element: SVGElement) {
        guard element.parent?.isSVG == true else { return }
        switch element.name {
        case "img", "video", "canvas", "iframe", "audio": note(.leftOut, "pages within it")
        default: break
        }
    }

    private func noteElement(_ element: SVGElement) {
        switch element.name {
        case "script": note(.leftOut, "scripts")
        case "foreignObject": note(.leftOut, "pages within it")
        case "animate", "animateColor", "animateMotion", "animateTransform", "set":
            note(.leftOut, "its motion")
        case "textPath": note(.leftOut, "text along a path")
        case "tref": note(.differs, "text that is shown twice (tref)")
        case "image", "feImage", "use": noteReference(of: element)
        case "marker":
            if Double(element["refX"] ?? "0") == nil, element["refX"]?.contains("%") == false {
                note(.differs, "refX in words")
            }
        case "mask" where element.has("mask"): note(.differs, "a mask on a mask")
        case "pattern" where element.viewBox != nil: note(.differs, "a pattern with a viewBox")
        case "text", "tspan": noteText(element)
        default: break
        }
        noteFilter(of: element)
        if let dashes = element.value("stroke-dasharray")?.compactMap({ CSSLength.number($0) }),
            dashes.count.isMultiple(of: 2), dashes.contains(where: { $0 > 0 }),
            stride(from: 1, to: dashes.count, by: 2).allSatisfy({ dashes[$0] == 0 })
        {
            note(.differs, "dashes without gaps")
        }
        if element["pathLength"] != nil, inherited("stroke-dasharray", for: element) != nil {
            note(.differs, "pathLength")
        }
    }

    private func noteMarkers(of element: SVGElement) {
        guard let data = element["d"], data.utf8.filter({ $0 | 0x20 == 0x6D }).count > 1,
            let mid = inherited("marker-mid", for: element) ?? inherited("marker", for: element),
            mid.first?.ident != "none"
        else { return }
        note(.differs, "markers of a path in several parts")
    }

    private func noteReference(of element: SVGElement) {
        guard let href = element.href, !href.isEmpty else { return }
        if href.hasPrefix("#") {
            if element.name == "feImage" {
                note(.differs, "a filter that shows an element (feImage)")
            }
            return
        }
        let lower = href.drop { $0.isWhitespace }.prefix(5).lowercased()
        if lower == "data:", element.name != "use" { return }
        let name = href.unicodeScalars.prefix(60)
            .map { $0.properties.generalCategory == .control ? " " : Character($0) }
        note(.leftOut, "\"\(String(name))\"")
    }

    // MARK: Properties

    /// Values without effect.
    private static let neutral: Set<String> = [
        "none", "normal", "auto", "0", "inherit", "initial", "unset", "visible", "optimizequality",
        "high-quality", "smooth",
    ]

    /// Unsupported properties, and their names for people.
    private static let properties: [String: String] = [
        "text-shadow": "text-shadow", "outline": "outline", "outline-width": "outline",
        "backdrop-filter": "backdrop-filter", "offset-path": "offset-path",
        "inline-size": "lines of text that break by themselves",
        "shape-inside": "lines of text that break by themselves",
        "word-spacing": "word-spacing", "vector-effect": "vector-effect",
        "font-variant": "variants of letters", "font-variant-caps": "variants of letters",
        "font-feature-settings": "variants of letters",
        "text-decoration": "text-decoration", "text-decoration-line": "text-decoration",
        "font-size-adjust": "font-size-adjust", "all": "the property all", "zoom": "zoom",
        "perspective": "perspective", "box-shadow": "box-shadow", "border": "border",
        "mask-composite": "mask-composite", "mask-border": "mask-border",
        "stroke-alignment": "stroke-alignment",
    ]

    private func noteProperties(of element: SVGElement) {
        for declaration in element.declared { noteProperty(declaration.name, declaration.value) }
        for declaration in element.matched {
            noteWindow(declaration.value)
            // Chromium scales fractions of the letters with the drawing.
            if declaration.name == "letter-spacing",
                declaration.value.first?.token(.percentage) != nil
            {
                note(.differs, "letter-spacing in percent")
            }
        }
        for attribute in element.attributes
        where attribute.prefix.isEmpty && Self.isNoted(attribute.name) {
            noteProperty(attribute.name, CSSComponent.list(attribute.value) ?? [])
        }
    }

    private static func isNoted(_ name: String) -> Bool {
        properties[name] != nil
            || [
                "color-interpolation", "writing-mode", "font-kerning", "mix-blend-mode",
                "image-rendering", "direction", "fill",
                "stroke",
            ].contains(name)
    }

    private var hasPaintServers: Bool {
        named.values.contains { $0.name == "pattern" || $0.name.hasSuffix("Gradient") }
    }

    private func noteProperty(_ name: String, _ value: [CSSComponent]) {
        let words = value.compactMap(\.ident)
        switch name {
        case "animation", "animation-name":
            if words.first != "none" { note(.leftOut, "its motion") }
        case "fill" where words.first?.hasPrefix("context-") == true,
            "stroke" where words.first?.hasPrefix("context-") == true:
            if hasPaintServers { note(.differs, "context-fill with gradients or patterns") }
        case "writing-mode":
            if !["horizontal-tb", "lr", "lr-tb", "rl", "rl-tb"].contains(words.first) {
                note(.differs, "vertical text (writing-mode)")
            }
        case "font-kerning":
            if words.first == "none" { note(.differs, "font-kerning") }
        case "direction":
            if words.first == "rtl" { note(.differs, "text from right to left") }
        case "color-interpolation":
            if words.first == "linearrgb" { note(.differs, "gradients in linear light") }
        case "mix-blend-mode":
            if words.first?.hasPrefix("plus-") == true {
                note(.differs, "mix-blend-mode: plus-lighter")
            }
        case "image-rendering":
            if let word = words.first, !Self.neutral.contains(word) {
                note(.differs, "image-rendering")
            }
        case "display":
            if words.first == "contents" { note(.differs, "display: contents") }
        default:
            guard let known = Self.properties[name], let first = value.first,
                name == "all" || !Self.neutral.contains(first.text.lowercased())
            else { return }
            note(.differs, known)
        }
    }

    /// Notes lengths that depend on the display size of the drawing.
    func noteWindow(_ value: [CSSComponent]) {
        guard value.contains(where: { $0.contains(unit: Self.windowUnits) }) else { return }
        note(.differs, "lengths in parts of the window (vw, vh)")
    }

    private static let windowUnits: Set<String> = ["vw", "vh", "vmin", "vmax", "vi", "vb"]
}
