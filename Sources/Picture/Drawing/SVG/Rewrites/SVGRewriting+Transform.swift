import Glibc

/// Transforms of style sheets (CSS Transforms Level 2) as attributes, which have fewer units and no origin.
extension SVGRewriting {
    private static let properties = [
        "transform", "translate", "rotate", "scale", "transform-origin", "transform-box",
        "rotate", "-webkit-transform", "-webkit-transform-origin",
    ]

    func rewriteTransforms() {
        for element in elements where element.isSVG {
            let declared = element.declared.contains { Self.properties.contains($0.name) }
            let target = Self.transformName(of: element)
            let hasOrigin = element["transform-origin"] != nil && element[target] != nil
            guard declared || hasOrigin else { continue }
            guard let matrix = transform(of: element) else {
                note(.differs, "a transform that cannot be read")
                continue
            }
            element["transform-origin"] = nil
            if element.parent == nil, !matrix.isIdentity {
                note(.differs, "a transform of the whole drawing")
            }
            move(element, Self.properties, to: target, matrix.text)
        }
    }

    /// The attribute that has the transform of an element.
    private static func transformName(of element: SVGElement) -> String {
        if element.name.hasSuffix("Gradient") { return "gradientTransform" }
        return element.name == "pattern" ? "patternTransform" : "transform"
    }

    /// The transform of an element with its origin; `nil` if it cannot be read.
    private func transform(of element: SVGElement) -> SVGMatrix? {
        func declared(_ name: String) -> [CSSComponent]? {
            element.declared.last { $0.name == name }?.value
        }
        guard let box = referenceBox(of: element) else { return nil }
        var matrix = SVGMatrix.identity
        for name in ["translate", "rotate", "scale"] {
            guard let value = declared(name), value.first?.ident != "none" else { continue }
            let own = CSSTransform.function(name, value.solid, box, element.style)
            matrix = matrix * (own ?? .identity)
        }
        if let value = declared("transform") ?? declared("-webkit-transform") {
            matrix = matrix * (CSSTransform.matrix(of: value, box, element.style) ?? .identity)
        } else if let attribute = element[Self.transformName(of: element)] {
            guard let value = SVGMatrix(attribute) else { return nil }
            matrix = matrix * value
        }
        let origin = origin(of: element, box)
        return .translation(origin.x, origin.y) * matrix * .translation(-origin.x, -origin.y)
    }

    /// The box for percentages and the origin.
    private func referenceBox(of element: SVGElement) -> SVGBox? {
        let word = element.value("transform-box")?.first?.ident ?? "view-box"
        if ["fill-box", "stroke-box", "content-box", "border-box"].contains(word) {
            guard let box = element.bounds else {
                note(.differs, "a transform around the middle of a shape that is hard to measure")
                return SVGBox(x: 0, y: 0, width: 0, height: 0)
            }
            return box
        }
        let size = element.style.viewport
        return SVGBox(x: 0, y: 0, width: size.x, height: size.y)
    }

    private func origin(of element: SVGElement, _ box: SVGBox) -> SIMD2<Double> {
        let value =
            element.value("transform-origin")
            ?? element.declared.last { $0.name == "-webkit-transform-origin" }?.value
        guard let value else {
            return SIMD2(box.x, box.y) * (element.value("transform-box") == nil ? 0 : 1)
        }
        var parts = value.solid
        if let first = parts.first?.ident, ["top", "bottom"].contains(first) {
            parts =
                parts.count > 1
                ? [parts[1], parts[0]]
                : [.token(CSSToken(kind: .ident, text: "center", value: "center")), parts[0]]
        }
        func place(_ index: Int, _ whole: Double) -> Double {
            guard index < parts.count else { return whole / 2 }
            return element.style.position(parts[index], in: whole) ?? 0
        }
        return SIMD2(box.x + place(0, box.width), box.y + place(1, box.height))
    }
}

/// The functions of `transform`.
enum CSSTransform {
    /// All functions of a value; `nil` if one is invalid, so that there is no transform.
    static func matrix(of value: [CSSComponent], _ box: SVGBox, _ style: SVGStyle) -> SVGMatrix? {
        if value.first?.ident == "none" { return .identity }
        var matrix = SVGMatrix.identity
        for component in value where !component.isSpace {
            guard case .function(let name, let arguments) = component,
                let next = function(
                    name, arguments.solid.filter { $0.token(.comma) == nil }, box, style)
            else { return nil }
            matrix = matrix * next
        }
        return matrix
    }

    static func function(
        _ name: String, _ arguments: [CSSComponent], _ box: SVGBox, _ style: SVGStyle
    ) -> SVGMatrix? {
        func length(_ index: Int, _ whole: Double) -> Double? {
            guard index < arguments.count else { return 0 }
            // A number without a unit is no length, except 0.
            if let number = arguments[index].token(.number), number.number != 0 { return nil }
            return style.pixels([arguments[index]], of: whole)
        }
        func number(_ index: Int) -> Double? {
            index < arguments.count ? CSSLength.number(arguments[index]) : nil
        }
        func angle(_ index: Int) -> Double? {
            index < arguments.count
                ? CSSLength.degrees(arguments[index]).map { $0 * .pi / 180 } : nil
        }
        switch name {
        case "translate", "translate3d":
            guard let x = length(0, box.width), let y = length(1, box.height) else { return nil }
            return .translation(x, y)
        case "translatex": return length(0, box.width).map { .translation($0, 0) }
        case "translatey": return length(0, box.height).map { .translation(0, $0) }
        case "translatez", "perspective": return .identity
        case "scale", "scale3d":
            guard let x = number(0) else { return nil }
            return .scale(x, number(1) ?? x)
        case "scalex": return number(0).map { .scale($0, 1) }
        case "scaley": return number(0).map { .scale(1, $0) }
        case "scalez": return .identity
        case "rotate", "rotatez": return angle(0).map { .rotation($0) }
        case "rotatex": return angle(0).map { .scale(1, cos($0)) }
        case "rotatey": return angle(0).map { .scale(cos($0), 1) }
        case "skew":
            guard let x = angle(0) else { return nil }
            return .skew(x, angle(1) ?? 0)
        case "skewx": return angle(0).map { .skew($0, 0) }
        case "skewy": return angle(0).map { .skew(0, $0) }
        case "matrix":
            let parts = (0..<6).compactMap { number($0) }
            return parts.count == 6 ? SVGMatrix(parts) : nil
        case "matrix3d":
            let parts = (0..<16).compactMap { number($0) }
            return parts.count == 16 ? SVGMatrix([0, 1, 4, 5, 12, 13].map { parts[$0] }) : nil
        default: return nil
        }
    }
}
