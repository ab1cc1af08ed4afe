import Glibc

/// A rectangle in units of a drawing.
struct SVGBox: Equatable {
    var x, y, width, height: Double
}

extension SVGBox {
    /// The smallest box around points; `nil` without points.
    init?(around points: some Collection<SIMD2<Double>>) {
        guard let first = points.first else { return nil }
        var (least, most) = (first, first)
        for point in points {
            least = pointwiseMin(least, point)
            most = pointwiseMax(most, point)
        }
        self.init(x: least.x, y: least.y, width: most.x - least.x, height: most.y - least.y)
    }
}

extension SVGElement {
    /// The numbers of an attribute, with any separators.
    func numbers(_ name: String) -> [Double] {
        CSSTokenizer.tokens(of: self[name] ?? "").filter {
            $0.kind == .number || $0.kind == .dimension || $0.kind == .percentage
        }.map(\.number)
    }

    /// `viewBox`, if it is usable.
    var viewBox: SVGBox? {
        let found = numbers("viewBox")
        guard found.count == 4, found[2] > 0, found[3] > 0 else { return nil }
        return SVGBox(x: found[0], y: found[1], width: found[2], height: found[3])
    }

    /// The stops of a gradient.
    var stops: [SVGElement] { elements.filter { $0.name == "stop" && $0.isSVG } }

    /// The paint from which this one takes missing attributes.
    var template: String? {
        name == "pattern" || name.hasSuffix("Gradient") ? reference : nil
    }

    /// A number, or a percentage as a fraction, of an attribute.
    func part(_ name: String) -> Double? {
        self[name].flatMap { CSSComponent.list($0)?.trimmed.first }.flatMap { CSSLength.number($0) }
    }

    /// The value of a property for this element alone, without inheritance.
    func value(_ name: String) -> [CSSComponent]? {
        if let declared = declared.last(where: { $0.name == name }) { return declared.value }
        guard SVGProperties.presentation.contains(name) else { return nil }
        return self[name].flatMap { CSSComponent.list($0) }?.trimmed
    }

    /// Whether a property has a value other than `none`.
    func has(_ name: String) -> Bool { value(name).map { $0.first?.ident != "none" } ?? false }

    /// A length in pixels of a property or attribute.
    func length(_ name: String) -> Double? { value(name).flatMap { style.pixels($0, for: name) } }

    /// The box of its shape, without strokes, in the units before its `transform`; `nil` if unknown.
    var bounds: SVGBox? { corners.flatMap { SVGBox(around: $0) } }

    /// Points whose extremes are those of its shape, except for pictures in it and texts.
    private var corners: [SIMD2<Double>]? {
        switch name {
        case "rect", "image", "foreignObject":
            guard let width = length("width"), let height = length("height") else { return nil }
            let (x, y) = (length("x") ?? 0, length("y") ?? 0)
            return [
                SIMD2(x, y), SIMD2(x + width, y), SIMD2(x, y + height),
                SIMD2(x + width, y + height),
            ]
        case "circle", "ellipse":
            let radius = length("r") ?? 0
            let (rx, ry) = (length("rx") ?? radius, length("ry") ?? radius)
            let (x, y) = (length("cx") ?? 0, length("cy") ?? 0)
            return (0..<64).map { step in
                let angle = Double(step) * .pi / 32
                return SIMD2(x + rx * cos(angle), y + ry * sin(angle))
            }
        case "line":
            return [
                SIMD2(numbers("x1").first ?? 0, numbers("y1").first ?? 0),
                SIMD2(numbers("x2").first ?? 0, numbers("y2").first ?? 0),
            ]
        case "polygon", "polyline":
            let points = numbers("points")
            return stride(from: 1, to: points.count, by: 2).map {
                SIMD2(points[$0 - 1], points[$0])
            }
        case "path": return self["d"].map { Array(SVGPath($0).parts.joined()) }
        case "g", "a":
            var found: [SIMD2<Double>] = []
            for child in elements where child.isSVG && !SVGElement.undrawn.contains(child.name) {
                guard let inner = child.corners, child.value("transform") == nil else { return nil }
                let matrix = child["transform"].flatMap { SVGMatrix($0) } ?? .identity
                found += inner.map { matrix * $0 }
            }
            return found
        default: return nil
        }
    }

    /// Elements that are not drawn in place.
    static let undrawn: Set<String> = [
        "defs", "style", "title", "desc", "metadata", "clipPath", "mask", "marker", "pattern",
        "linearGradient", "radialGradient", "filter", "symbol", "script", "view", "cursor",
        "animate", "animateTransform", "animateMotion", "set", "stop",
    ]
}
