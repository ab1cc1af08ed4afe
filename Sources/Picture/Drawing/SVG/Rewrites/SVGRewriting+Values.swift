/// The allowed values of an attribute; a faulty one is ignored (SVG 2, section 4.2).
private enum ValueRule {
    case word(Set<String>)
    /// This many numbers without units.
    case numbers(ClosedRange<Int>)
    /// A number or a percentage.
    case part
    case length
    /// A length of 0 or more.
    case size
    case angle
    /// Lengths of letters.
    case lengths
}

/// Attributes with faulty values: librsvg omits elements and whole filters for them, browsers use the defaults.
extension SVGRewriting {
    func mendValues(of element: SVGElement) {
        for attribute in element.attributes where attribute.value.contains("%") {
            guard let name = Self.escaped(attribute.value), named[name] == nil,
                let plain = DataAddress.plain(name), named[plain] != nil
            else { continue }
            let value = attribute.value.replacing("#\(name)", with: "#\(plain)")
            if attribute.name == "href" {
                element.href = value
            } else {
                element[attribute.name] = value
            }
            isChanged = true
        }
        if element.name.hasPrefix("fe") { mend(element, Self.primitive) }
        if let rules = Self.rules[element.name] { mend(element, rules) }
        if let text = element["transform"], SVGMatrix(text) == nil || !Self.isClosed(text) {
            change(element, "transform", to: nil)
        }
        if element["viewBox"] != nil, element.numbers("viewBox").count != 4 {
            change(element, "viewBox", to: nil)
        }
    }

    /// The unescaped name in an address of this drawing.
    private static func escaped(_ value: String) -> String? {
        value.firstMatch(of: /^(?:url\(\s*["']?)?#([^\s"')]+)/).map { String($0.output.1) }
    }

    /// Style sheets allow a missing parenthesis, attributes do not.
    private static func isClosed(_ text: String) -> Bool {
        text.utf8.count { $0 == UInt8(ascii: "(") } == text.utf8.count { $0 == UInt8(ascii: ")") }
    }

    private func mend(_ element: SVGElement, _ rules: [String: ValueRule]) {
        for (name, rule) in rules {
            guard let text = element[name] else { continue }
            let mended = Self.mended(text, rule, name, element.style)
            guard mended != text else { continue }
            noteWindow(CSSComponent.list(text) ?? [])
            change(element, name, to: mended)
        }
    }

    /// The value in a form that librsvg reads, or `nil` to remove it.
    private static func mended(
        _ text: String, _ rule: ValueRule, _ name: String, _ style: SVGStyle
    ) -> String? {
        let parts = (CSSComponent.list(text) ?? []).solid
        switch rule {
        case .word(let words): return words.contains(text) ? text : nil
        case .numbers(let count):
            let numbers = parts.filter { $0.token(.comma) == nil }
            let isSound = count ~= numbers.count && numbers.allSatisfy { $0.token(.number) != nil }
            return isSound ? text : nil
        case .part:
            let isSound = parts.count == 1 && parts[0].token(.number, .percentage) != nil
            return isSound ? text : nil
        case .angle:
            guard parts.count == 1 else { return nil }
            if ["auto", "auto-start-reverse"].contains(text) { return text }
            return CSSLength.degrees(parts[0]).map {
                parts[0].token(.number) == nil ? CSSLength.text($0) : text
            }
        case .lengths:
            guard parts.contains(where: { SVGStyle.isForeign($0) }) else { return text }
            return parts.filter { $0.token(.comma) == nil }.map {
                style.pixels([$0], for: name).map { CSSLength.text($0) } ?? $0.text
            }.joined(separator: " ")
        case .length, .size:
            guard parts.count == 1 else { return nil }
            if case .size = rule, let number = parts[0].token(.number, .dimension, .percentage),
                number.number < 0
            {
                return "0"
            }
            if parts[0].token(.percentage) != nil { return text }
            guard let pixels = style.pixels(parts, for: name) else { return nil }
            return SVGStyle.isForeign(parts[0]) ? CSSLength.text(pixels) : text
        }
    }

    private static let units = ValueRule.word(["userSpaceOnUse", "objectBoundingBox"])
    private static let number = ValueRule.numbers(1...1)
    private static let pair = ValueRule.numbers(1...2)
    private static let place: [String: ValueRule] = ["x": .length, "y": .length]
    private static let region = place.merging(["width": .size, "height": .size]) { $1 }
    private static let primitive = region
    private static let gradient: [String: ValueRule] = [
        "gradientUnits": units, "spreadMethod": .word(["pad", "reflect", "repeat"]),
        "x1": .length, "y1": .length, "x2": .length, "y2": .length, "cx": .length, "cy": .length,
        "r": .length, "fx": .length, "fy": .length, "fr": .length,
    ]
    private static let transfer: [String: ValueRule] = [
        "type": .word(["identity", "table", "discrete", "linear", "gamma"]), "slope": number,
        "intercept": number, "amplitude": number, "exponent": number, "offset": number,
    ]
    private static let light: [String: ValueRule] = [
        "surfaceScale": number, "diffuseConstant": number, "specularConstant": number,
        "specularExponent": number, "kernelUnitLength": pair,
    ]
    private static let channels = ValueRule.word(["R", "G", "B", "A"])
    private static let edges = ValueRule.word(["duplicate", "wrap", "none"])

    private static let letters: [String: ValueRule] = [
        "x": .lengths, "y": .lengths, "dx": .lengths, "dy": .lengths,
    ]

    private static let rules: [String: [String: ValueRule]] = [
        "text": letters, "tspan": letters,
        "linearGradient": gradient, "radialGradient": gradient, "stop": ["offset": .part],
        "line": ["x1": .length, "y1": .length, "x2": .length, "y2": .length],
        "pattern": region.merging(["patternUnits": units, "patternContentUnits": units]) { $1 },
        "mask": region.merging(["maskUnits": units, "maskContentUnits": units]) { $1 },
        "filter": region.merging(["filterUnits": units, "primitiveUnits": units]) { $1 },
        "clipPath": ["clipPathUnits": units],
        "marker": [
            "markerUnits": .word(["strokeWidth", "userSpaceOnUse"]), "markerWidth": .size,
            "markerHeight": .size, "orient": .angle,
        ],
        "feBlend": [
            "mode": .word([
                "normal", "multiply", "screen", "darken", "lighten", "overlay", "color-dodge",
                "color-burn", "hard-light", "soft-light", "difference", "exclusion", "hue",
                "saturation", "color", "luminosity",
            ])
        ],
        "feColorMatrix": [
            "type": .word(["matrix", "saturate", "hueRotate", "luminanceToAlpha"])
        ],
        "feComposite": [
            "operator": .word(["over", "in", "out", "atop", "xor", "lighter", "arithmetic"]),
            "k1": number, "k2": number, "k3": number, "k4": number,
        ],
        "feConvolveMatrix": [
            "edgeMode": edges, "preserveAlpha": .word(["true", "false"]), "divisor": number,
            "bias": number, "targetX": number, "targetY": number, "order": pair,
        ],
        "feDiffuseLighting": light, "feSpecularLighting": light,
        "feDisplacementMap": [
            "scale": number, "xChannelSelector": channels, "yChannelSelector": channels,
        ],
        "feDropShadow": ["dx": number, "dy": number, "stdDeviation": pair],
        "feFuncR": transfer, "feFuncG": transfer, "feFuncB": transfer, "feFuncA": transfer,
        "feGaussianBlur": ["edgeMode": edges, "stdDeviation": pair],
        "feMorphology": ["operator": .word(["erode", "dilate"]), "radius": pair],
        "feOffset": ["dx": number, "dy": number],
        "feTurbulence": [
            "type": .word(["fractalNoise", "turbulence"]), "numOctaves": number, "seed": number,
            "stitchTiles": .word(["stitch", "noStitch"]), "baseFrequency": pair,
        ],
    ]
}
