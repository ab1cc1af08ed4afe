/// What librsvg neither draws nor can be taught by rewriting.
extension SVGRewriting {
    func noteUnsupported() {
        if root["clip-path"] != nil { note(.differs, "a clip of the whole drawing") }
        if root["transform"] != nil { note(.differs, "a transform of the whole drawing") }
        for element in elements {
            guard element.isSVG else {
                noteForeign(element)
                continue
            }
            noteElement(element)
            noteProperties(of: element)
            noteInputs(of: element)
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
        case "feTurbulence": note(.differs, "the filter feTurbulence")
        case "feTile": note(.differs, "the filter feTile")
        case "feConvolveMatrix" where element["bias"] != nil || element["divisor"] == nil:
            note(.differs, "the filter feConvolveMatrix")
        case "feMorphology": note(.differs, "the filter feMorphology")
        case "feDiffuseLighting", "feSpecularLighting": note(.differs, "lighting filters")
        case "image", "feImage", "use": noteReference(of: element)
        case "marker":
            if Double(element["refX"] ?? "0") == nil, element["refX"]?.contains("%") == false {
                note(.differs, "refX in words")
            }
        case "mask" where element.value("mask").map { $0.first?.ident != "none" } ?? false:
            note(.differs, "a mask on a mask")
        case "pattern" where element.viewBox != nil: note(.differs, "a pattern with a viewBox")
        case "feGaussianBlur", "feConvolveMatrix":
            if let mode = element["edgeMode"], mode != "none", element.name == "feGaussianBlur" {
                note(.differs, "edgeMode")
            }
        case "text", "tspan":
            if Self.hasEmoji(element.text), element["data-fit"] == nil {
                note(.differs, "emoji in text, which get no colour (convert them to paths)")
            }
            if element["rotate"] != nil { note(.differs, "letters that are turned (rotate)") }
            if element.attributes.contains(where: { $0.name == "space" && $0.value == "preserve" }),
                element.text.contains("  ")
            {
                note(.differs, "spaces between words that are kept")
            }
            if element["textLength"] != nil { note(.differs, "textLength") }
        default: break
        }
        if let filter = element.value("filter"), filter.first?.ident != "none", isTurned(element) {
            note(.differs, "a filter of something that is turned")
        }
        if element["pathLength"] != nil, inherited("stroke-dasharray", for: element) != nil {
            note(.differs, "pathLength")
        }
    }

    /// Whether it, or what it is in, is turned or skewed, so that filters work along other axes.
    private func isTurned(_ element: SVGElement) -> Bool {
        var next: SVGElement? = element
        while let outer = next {
            if let matrix = outer["transform"].flatMap({ SVGMatrix($0) }),
                abs(matrix.b) + abs(matrix.c) > 1e-9
            {
                return true
            }
            next = outer.parent
        }
        return false
    }

    private static func hasEmoji(_ text: String) -> Bool {
        text.unicodeScalars.contains { $0.properties.isEmojiPresentation || $0 == "\u{FE0F}" }
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

    /// Values with which a property is as if it were not there.
    private static let neutral: Set<String> = [
        "none", "normal", "auto", "0", "inherit", "initial", "unset", "visible",
    ]

    /// Properties that are not drawn, and how people call them.
    private static let properties: [String: String] = [
        "text-shadow": "text-shadow", "outline": "outline", "outline-width": "outline",
        "backdrop-filter": "backdrop-filter", "offset-path": "offset-path",
        "inline-size": "lines of text that break by themselves",
        "shape-inside": "lines of text that break by themselves",
        "word-spacing": "word-spacing", "vector-effect": "vector-effect",
        "font-variant": "variants of letters", "font-variant-caps": "variants of letters",
        "font-feature-settings": "variants of letters",
        "font-variation-settings": "variants of letters",
        "text-decoration": "text-decoration", "text-decoration-line": "text-decoration",
        "font-size-adjust": "font-size-adjust", "all": "the property all", "zoom": "zoom",
        "perspective": "perspective", "box-shadow": "box-shadow", "border": "border",
        "mask-composite": "mask-composite", "mask-border": "mask-border",
        "stroke-alignment": "stroke-alignment",
    ]

    private func noteProperties(of element: SVGElement) {
        for declaration in element.declared { noteProperty(declaration.name, declaration.value) }
        for attribute in element.attributes
        where attribute.prefix.isEmpty && Self.isNoted(attribute.name) {
            noteProperty(attribute.name, CSSComponent.list(attribute.value) ?? [])
        }
    }

    private static func isNoted(_ name: String) -> Bool {
        properties[name] != nil
            || [
                "color-interpolation", "mix-blend-mode", "image-rendering", "direction", "fill",
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

    /// Pictures that a filter takes from elsewhere than its element.
    private func noteInputs(of element: SVGElement) {
        guard element.name.hasPrefix("fe") else { return }
        for name in ["in", "in2"] {
            switch element[name] {
            case "BackgroundImage", "BackgroundAlpha", "FillPaint", "StrokePaint":
                note(.differs, "filters of the background or of paints")
            default: break
            }
        }
    }
}
