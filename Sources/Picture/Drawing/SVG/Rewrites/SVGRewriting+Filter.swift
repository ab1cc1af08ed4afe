/// Filters that librsvg does not know, or draws differently, as primitives that it supports (Filter Effects Level 1).
extension SVGRewriting {
    /// Replaces `feDropShadow` by the primitives of its definition.
    func rewriteDropShadows() {
        for element in elements where element.name == "feDropShadow" && element.isSVG {
            guard let parent = element.parent, takes(5) else { continue }
            parent.replace(element, by: dropShadow(like: element))
            (isChanged, isStyleForeign) = (true, true)
        }
    }

    /// Filter Effects Level 1, section 9.14.
    private func dropShadow(like element: SVGElement) -> [SVGElement] {
        // Only alpha is blurred, so colours need no conversion to linear light, where dark ones lose precision.
        func primitive(_ name: String, _ attributes: KeyValuePairs<String, String>) -> SVGElement {
            let made = SVGElement(name, like: element, attributes)
            made["color-interpolation-filters"] = "sRGB"
            return made
        }
        let id = freshName()
        // An unnamed input is the previous result; it is needed twice.
        let source = primitive("feOffset", ["result": "\(id)-in"])
        source["in"] = element["in"]
        source["dx"] = "0"
        let blurred = primitive(
            "feGaussianBlur",
            ["in": "\(id)-in", "stdDeviation": element["stdDeviation"] ?? "2"])
        let moved = primitive(
            "feOffset",
            ["dx": element["dx"] ?? "2", "dy": element["dy"] ?? "2", "result": "\(id)-offset"])
        let flood = primitive("feFlood", [:])
        flood.attributes += element.attributes.filter { $0.name.hasPrefix("flood-") }
        flood.declared += element.declared.filter { $0.name.hasPrefix("flood-") }
        let shadow = primitive(
            "feComposite", ["in2": "\(id)-offset", "operator": "in", "result": "\(id)"])
        let merge = primitive("feMerge", [:])
        // Its own region cuts the result, not the shadow before that.
        merge.attributes += element.attributes.filter {
            ["x", "y", "width", "height", "result"].contains($0.name)
        }
        for name in [id, "\(id)-in"] {
            merge.append(SVGElement("feMergeNode", like: element, ["in": name]))
        }
        return [source, blurred, moved, flood, shadow, merge]
    }

    // MARK: Functions

    /// Replaces `blur()` and others by separate filters.
    func rewriteFilterFunctions() {
        for element in elements where element.isSVG {
            guard let value = element.value("filter"), value.contains(function: { $0 != "url" })
            else {
                continue
            }
            let parts = value.solid
            let filters = parts.map { $0.token(.url) == nil ? filter($0, for: element) : nil }
            let isValid = zip(parts, filters).allSatisfy { $0.token(.url) != nil || $1 != nil }
            guard isValid, takes(6 * parts.count) else {
                set(element, "filter", "none")
                continue
            }
            let list = zip(parts, filters).compactMap { part, filter in
                if let filter { return "url(#\(define(filter)))" }
                let isDefined = target(of: [part])?.name == "filter"
                return isDefined ? part.token(.url).map { "url(\($0.value))" } : nil
            }
            set(element, "filter", list.isEmpty ? "none" : list.joined(separator: " "))
        }
    }

    /// A function as a filter; `nil` if it is not valid.
    private func filter(_ component: CSSComponent, for element: SVGElement) -> SVGElement? {
        guard case .function(let name, let arguments) = component, arguments.byComma.count == 1
        else { return nil }
        let primitives: [SVGElement]
        switch name {
        case "blur":
            let radius =
                arguments.solid.isEmpty
                ? 0 : element.style.pixels(arguments.trimmed, for: "filter") ?? -1
            guard radius >= 0, !Self.lacksUnit(arguments.solid) else { return nil }
            primitives = [
                SVGElement(
                    "feGaussianBlur", like: element, ["stdDeviation": CSSLength.text(radius)])
            ]
        case "drop-shadow":
            guard let shadow = shadow(arguments.solid, for: element) else { return nil }
            primitives = shadow
        case "hue-rotate":
            let angle =
                arguments.solid.isEmpty
                ? 0 : arguments.solid.first.flatMap { CSSLength.degrees($0) }
            guard let angle, !Self.lacksUnit(arguments.solid) else { return nil }
            primitives = [matrix("hueRotate", [angle], like: element)]
        default:
            let amount = arguments.solid.isEmpty ? 1 : CSSLength.number(arguments.solid[0])
            guard let amount, amount >= 0, let made = colorFilter(name, amount, like: element)
            else {
                note(.differs, "the filter \(name)()")
                return nil
            }
            primitives = [made]
        }
        let filter = SVGElement(
            "filter", like: element,
            [
                "x": "-1", "y": "-1", "width": "3", "height": "3",
                "color-interpolation-filters": "sRGB",
            ])
        for primitive in primitives { filter.append(primitive) }
        return filter
    }

    /// Numbers are no lengths or angles, except 0; Chromium allows them in shadows.
    private static func lacksUnit(_ arguments: [CSSComponent]) -> Bool {
        arguments.contains { $0.token(.number).map { $0.number != 0 } ?? false }
    }

    private func shadow(_ arguments: [CSSComponent], for element: SVGElement) -> [SVGElement]? {
        // The new filter is outside the element, where `currentColor` may be another.
        var (lengths, color): ([Double], String?) = ([], nil)
        for argument in arguments {
            if let found = CSSColor(argument) {
                color = found.text
            } else if let length = element.style.pixels([argument], for: "filter") {
                lengths.append(length)
            } else if argument.ident != "currentcolor" {
                return nil
            }
        }
        guard 2...3 ~= lengths.count, lengths.count < 3 || lengths[2] >= 0 else { return nil }
        let made = SVGElement(
            "feDropShadow", like: element,
            [
                "dx": CSSLength.text(lengths[0]), "dy": CSSLength.text(lengths[1]),
                "stdDeviation": CSSLength.text(lengths.count > 2 ? lengths[2] : 0),
                "flood-color": color ?? inherited("color", for: element)?.text ?? "#000",
            ])
        return dropShadow(like: made)
    }

    private func matrix(
        _ type: String, _ values: [Double], like element: SVGElement
    ) -> SVGElement {
        SVGElement(
            "feColorMatrix", like: element,
            ["type": type, "values": values.map { CSSLength.text($0) }.joined(separator: " ")])
    }

    /// Filter Effects Level 1, section 13.
    private func colorFilter(
        _ name: String, _ amount: Double, like element: SVGElement
    ) -> SVGElement? {
        let part = min(1, amount)
        switch name {
        case "grayscale": return matrix("saturate", [1 - part], like: element)
        case "saturate": return matrix("matrix", Self.saturated(amount), like: element)
        case "sepia": return matrix("matrix", Self.sepia(1 - part), like: element)
        case "brightness": return transfer(amount, 0, like: element)
        case "contrast": return transfer(amount, 0.5 - 0.5 * amount, like: element)
        case "invert": return transfer(1 - 2 * part, part, like: element)
        case "opacity":
            return matrix(
                "matrix", [1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, part, 0],
                like: element)
        default: return nil
        }
    }

    private static func saturated(_ s: Double) -> [Double] {
        [
            0.213 + 0.787 * s, 0.715 - 0.715 * s, 0.072 - 0.072 * s, 0, 0,
            0.213 - 0.213 * s, 0.715 + 0.285 * s, 0.072 - 0.072 * s, 0, 0,
            0.213 - 0.213 * s, 0.715 - 0.715 * s, 0.072 + 0.928 * s, 0, 0, 0, 0, 0, 1, 0,
        ]
    }

    private static func sepia(_ s: Double) -> [Double] {
        [
            0.393 + 0.607 * s, 0.769 - 0.769 * s, 0.189 - 0.189 * s, 0, 0,
            0.349 - 0.349 * s, 0.686 + 0.314 * s, 0.168 - 0.168 * s, 0, 0,
            0.272 - 0.272 * s, 0.534 - 0.534 * s, 0.131 + 0.869 * s, 0, 0, 0, 0, 0, 1, 0,
        ]
    }

    private func transfer(_ slope: Double, _ intercept: Double, like element: SVGElement)
        -> SVGElement
    {
        let made = SVGElement("feComponentTransfer", like: element)
        for name in ["feFuncR", "feFuncG", "feFuncB"] {
            made.append(
                SVGElement(
                    name, like: element,
                    [
                        "type": "linear", "slope": CSSLength.text(slope),
                        "intercept": CSSLength.text(intercept),
                    ]))
        }
        return made
    }
}
