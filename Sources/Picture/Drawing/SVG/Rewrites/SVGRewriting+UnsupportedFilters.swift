/// Warnings of filters that librsvg draws differently.
extension SVGRewriting {
    /// Primitives of filters that look different.
    func notePrimitive(_ element: SVGElement) {
        guard element.name.hasPrefix("fe") else { return }
        noteInputs(of: element)
        switch element.name {
        case "feTurbulence": note(.differs, "the filter feTurbulence")
        case "feTile": note(.differs, "the filter feTile")
        case "feConvolveMatrix" where Self.isOddKernel(element):
            note(.differs, "the filter feConvolveMatrix")
        case "feMorphology": note(.differs, "the filter feMorphology")
        case "feDiffuseLighting", "feSpecularLighting": note(.differs, "lighting filters")
        case "feGaussianBlur":
            if let mode = element["edgeMode"], mode != "none" { note(.differs, "edgeMode") }
        case "feFuncA" where Self.showsTransparent(element):
            note(.differs, "a filter that shows what is transparent (feFuncA)")
        default: break
        }
    }

    private static func showsTransparent(_ element: SVGElement) -> Bool {
        switch element["type"] {
        case "table", "discrete": (element.numbers("tableValues").first ?? 0) > 0
        case "linear": (element.part("intercept") ?? 0) > 0
        case "gamma": (element.part("offset") ?? 0) > 0
        default: false
        }
    }

    /// Kernels whose results are offset, or divided by 0.
    private static func isOddKernel(_ element: SVGElement) -> Bool {
        let sum = element.numbers("kernelMatrix").reduce(0, +)
        return (element.part("bias") ?? 0) != 0 || element["divisor"] == nil && abs(sum) < 1e-6
    }

    /// Notes filter inputs from elsewhere than the element.
    private func noteInputs(of element: SVGElement) {
        for name in ["in", "in2"] {
            switch element[name] {
            case "BackgroundImage", "BackgroundAlpha", "FillPaint", "StrokePaint":
                note(.differs, "filters of the background or of paints")
            default: break
            }
        }
    }

    func noteFilter(of element: SVGElement) {
        guard let value = element.value("filter"), value.first?.ident != "none" else { return }
        if isTurned(element) { note(.differs, "a filter of something that is turned") }
        let parts = value.solid
        if parts.count > 1, parts.contains(where: { $0.token(.url) != nil }) {
            note(.differs, "several filters in a row")
        }
        for filter in parts.compactMap({ target(of: [$0]) }) {
            if cuts(filter, element) {
                note(.differs, "a filter with a region that cuts its shape")
            }
            let names = filter.elements.map(\.name)
            if element.name == "text", names.contains("feFlood"), !names.contains("feComposite") {
                note(.differs, "a filter that fills the box of a text")
            }
        }
    }

    /// Whether a blurred or moved picture exceeds its filter region: Chromium cuts afterwards.
    private func cuts(_ filter: SVGElement, _ element: SVGElement) -> Bool {
        let moving: Set<String> = ["feGaussianBlur", "feOffset", "feMorphology", "feDropShadow"]
        guard filter.elements.contains(where: { moving.contains($0.name) }) else { return false }
        func side(_ name: String, _ initial: Double) -> Double { filter.part(name) ?? initial }
        if filter["filterUnits"] == "userSpaceOnUse" {
            guard let box = element.bounds, let width = filter.part("width"),
                let height = filter.part("height")
            else { return false }
            let (x, y) = (side("x", box.x), side("y", box.y))
            return x > box.x || y > box.y || x + width < box.x + box.width
                || y + height < box.y + box.height
        }
        let (x, y) = (side("x", -0.1), side("y", -0.1))
        return x > 0 || y > 0 || x + side("width", 1.2) < 1 || y + side("height", 1.2) < 1
    }

    /// Whether it, or an outer element, is turned or skewed, so that filters work along other axes.
    private func isTurned(_ element: SVGElement) -> Bool {
        element.lineage.contains { $0["transform"].flatMap { SVGMatrix($0) }?.isTurned == true }
    }
}
