/// A rectangle in units of a drawing.
struct SVGBox: Equatable {
    var x, y, width, height: Double

    /// Around both.
    func union(_ other: SVGBox) -> SVGBox {
        let (left, top) = (min(x, other.x), min(y, other.y))
        return SVGBox(
            x: left, y: top, width: max(x + width, other.x + other.width) - left,
            height: max(y + height, other.y + other.height) - top)
    }
}

extension SVGElement {
    /// The numbers of an attribute, whatever stands between them.
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

    /// The value of a property that counts for this element alone, without what it inherits.
    func value(_ name: String) -> [CSSComponent]? {
        if let declared = declared.last(where: { $0.name == name }) { return declared.value }
        guard SVGProperties.presentation.contains(name) else { return nil }
        return self[name].flatMap { CSSComponent.list($0) }?.trimmed
    }

    /// A length in pixels of a property or attribute.
    func length(_ name: String) -> Double? { value(name).flatMap { style.pixels($0, for: name) } }

    /// The rectangle around its shape, without strokes, in the units that its `transform` leads out of; `nil` if unknown.
    var bounds: SVGBox? {
        switch name {
        case "rect", "image", "foreignObject", "use", "svg":
            guard let width = length("width"), let height = length("height") else { return nil }
            return SVGBox(x: length("x") ?? 0, y: length("y") ?? 0, width: width, height: height)
        case "circle", "ellipse":
            let radius = length("r") ?? 0
            let (rx, ry) = (length("rx") ?? radius, length("ry") ?? radius)
            let (x, y) = (length("cx") ?? 0, length("cy") ?? 0)
            return SVGBox(x: x - rx, y: y - ry, width: 2 * rx, height: 2 * ry)
        case "line":
            let (a, b) = (numbers("x1").first ?? 0, numbers("x2").first ?? 0)
            let (c, d) = (numbers("y1").first ?? 0, numbers("y2").first ?? 0)
            return SVGBox(x: min(a, b), y: min(c, d), width: abs(a - b), height: abs(c - d))
        case "polygon", "polyline":
            let points = numbers("points")
            let xs = stride(from: 0, to: points.count, by: 2).map { points[$0] }
            let ys = stride(from: 1, to: points.count, by: 2).map { points[$0] }
            guard let left = xs.min(), let right = xs.max(), let top = ys.min(),
                let bottom = ys.max()
            else { return nil }
            return SVGBox(x: left, y: top, width: right - left, height: bottom - top)
        case "path": return self["d"].flatMap { SVGPath($0).bounds }
        case "g", "a":
            var box: SVGBox?
            for child in elements where child.isSVG && !SVGElement.undrawn.contains(child.name) {
                guard let inner = child.bounds, child["transform"] == nil,
                    child.value("transform") == nil
                else { return nil }
                box = box?.union(inner) ?? inner
            }
            return box
        default: return nil
        }
    }

    /// Elements that are not drawn where they stand.
    static let undrawn: Set<String> = [
        "defs", "style", "title", "desc", "metadata", "clipPath", "mask", "marker", "pattern",
        "linearGradient", "radialGradient", "filter", "symbol", "script", "view", "cursor",
        "animate", "animateTransform", "animateMotion", "set", "stop",
    ]
}
