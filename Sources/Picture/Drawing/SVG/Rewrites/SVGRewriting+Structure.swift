/// Elements and attributes of SVG 2, and lenient readings of SVG 1.1, in a form that librsvg reads.
extension SVGRewriting {
    func rewriteStructure() {
        dropHidden(in: root, isHidden: false, Set(elements.compactMap(\.template)))
        for element in elements where element.isSVG {
            mendValues(of: element)
            switch element.name {
            case "switch": choose(in: element)
            case "polygon", "polyline": dropHalfPoint(of: element)
            case "use": unfold(element)
            case "mask" where element["transform"] != nil:
                change(element, "transform", to: nil)
            case "linearGradient", "radialGradient":
                dropFaultyReference(of: element)
                blendEvenly(element)
                if element.name == "radialGradient" {
                    mendRadius(of: element)
                } else if Self.isOnOnePoint(element) {
                    flatten(element)
                }
            case "pattern": dropFaultyReference(of: element)
            case "filter": mendPrimitives(of: element)
            case "path":
                takePath(of: element)
                lengthen(element)
            case "feDiffuseLighting", "feSpecularLighting": makeLightLinear(element)
            default: break
            }
        }
        paintBackground()
        wrapContent()
    }

    // MARK: Choices

    /// Keeps the drawn child of a `switch`: the first whose conditions are true, in English as in most browsers. An
    /// embedded page is never drawn, so its fallback is.
    private func choose(in element: SVGElement) {
        let drawn = element.elements.filter { !SVGElement.undrawn.contains($0.name) }
        guard drawn.contains(where: { $0["systemLanguage"] != nil || $0.name == "foreignObject" })
        else { return }
        let chosen = drawn.first {
            $0.name != "foreignObject" && speaks($0) && $0["requiredExtensions"] == nil
        }
        for other in drawn where other !== chosen { element.remove(other) }
        chosen?["systemLanguage"] = nil
        isChanged = true
    }

    func speaks(_ element: SVGElement) -> Bool {
        guard let languages = element["systemLanguage"] else { return true }
        return languages.split(separator: ",").contains {
            let name = $0.drop { $0 == " " }.lowercased()
            return name == "en" || name.hasPrefix("en-")
        }
    }

    // MARK: Shapes

    /// An extra number must not spoil the others.
    private func dropHalfPoint(of element: SVGElement) {
        let numbers = element.numbers("points")
        guard !numbers.count.isMultiple(of: 2) else { return }
        let points = numbers.dropLast().map { CSSLength.text($0) }
        change(element, "points", to: points.joined(separator: " "))
    }

    /// The property `d`.
    private func takePath(of element: SVGElement) {
        guard let value = element.declared.last(where: { $0.name == "d" })?.value,
            case .function("path", let arguments)? = value.first,
            let data = arguments.first(where: { $0.token(.string) != nil })?.token(.string)?.value
        else { return }
        move(element, ["d"], to: "d", data)
    }

    /// librsvg draws no cap of a path of zero length that stands alone. A mere starting point has none.
    private func lengthen(_ element: SVGElement) {
        guard let data = element["d"], data.utf8.count < 100, let box = SVGPath(data).bounds,
            box.width == 0, box.height == 0,
            data.lowercased().contains("z")
                || SVGPath(data).parts.contains(where: { $0.count > 1 }),
            ["round", "square"].contains(inherited("stroke-linecap", for: element)?.first?.ident)
        else { return }
        let width = inherited("stroke-width", for: element).flatMap {
            element.style.pixels($0, for: "stroke-width")
        }
        // Cairo has a limited resolution.
        let length = CSSLength.text((width ?? 1) / 100)
        change(element, "d", to: "M\(CSSLength.text(box.x)) \(CSSLength.text(box.y))h\(length)")
    }

    // MARK: Paints

    /// Fixes circles of no size, which librsvg does not paint at all, and those that begin where they end.
    private func mendRadius(of gradient: SVGElement) {
        let (radius, inner) = (gradient.part("r"), gradient.part("fr"))
        if let inner, inner < 0 { change(gradient, "fr", to: nil) }
        guard let radius, radius <= 0 else {
            guard let inner, inner == radius ?? 0.5 else { return }
            let isPercent = gradient["fr"]?.hasSuffix("%") == true
            let less = CSSLength.text(inner * (isPercent ? 99.99 : 0.9999))
            return change(gradient, "fr", to: less + (isPercent ? "%" : ""))
        }
        gradient["r"] = nil
        flatten(gradient)
    }

    /// Whether its line begins where it ends, by its own attributes.
    private static func isOnOnePoint(_ gradient: SVGElement) -> Bool {
        gradient["x1"] != nil && gradient["x1"] == gradient["x2"]
            && gradient["y1"] == gradient["y2"]
            && (gradient["y1"] != nil || gradient.template == nil)
    }

    /// Paints with only the last colour of a gradient.
    private func flatten(_ gradient: SVGElement) {
        let holder = templates(of: gradient).first { !$0.stops.isEmpty }
        guard let last = holder?.stops.last, takes(1) else { return }
        gradient.children = []
        gradient.append(last.copy())
        isChanged = true
    }

    /// A paint, and its templates.
    func templates(of paint: SVGElement) -> [SVGElement] {
        var found = [paint]
        while let id = found[found.count - 1].template, let next = named[id],
            !found.contains(where: { $0 === next }), found.count < 8
        {
            found.append(next)
        }
        return found
    }

    /// librsvg draws nothing with a paint that refers to a missing one, or to itself.
    private func dropFaultyReference(of paint: SVGElement) {
        var (next, seen): (SVGElement?, Set<ObjectIdentifier>) = (paint, [])
        let isPattern = paint.name == "pattern"
        while let current = next {
            guard current.href != nil else { return }
            let target = current.reference.flatMap { named[$0] }
            let isSound = target.map {
                isPattern ? $0.name == "pattern" : $0.name.hasSuffix("Gradient")
            }
            guard isSound == true, seen.insert(ObjectIdentifier(current)).inserted else {
                // In a circle, a paint with stops needs no other.
                let isCircle = isSound == true
                let full = isCircle ? templates(of: paint).first { !$0.stops.isEmpty } : nil
                (full ?? current).attributes.removeAll { $0.name == "href" }
                return isChanged = true
            }
            next = target
        }
    }

    /// Adds stops between colours outside sRGB syntax, which browsers blend in Oklab.
    private func blendEvenly(_ gradient: SVGElement) {
        let stops = gradient.stops
        let isEven = stops.contains { stop in
            stop.matched.last { $0.name == "stop-color" }?.value.contains {
                ["oklab", "oklch", "lab", "lch", "color"].contains($0)
            } ?? false
        }
        guard isEven, takes(Self.blendSteps * stops.count) else { return }
        for (first, second) in zip(stops, stops.dropFirst()) {
            let between = Self.stops(between: first, second)
            gradient.replace(first, by: [first] + between)
        }
        isChanged = true
    }

    private static let blendSteps = 8

    private static func stops(between first: SVGElement, _ second: SVGElement) -> [SVGElement] {
        guard let space = CSSColorSpace("oklab"), let one = color(of: first),
            let two = color(of: second), let start = offset(of: first),
            let end = offset(of: second), start < end
        else { return [] }
        return (1..<blendSteps).map { step in
            let part = Double(step) / Double(blendSteps)
            let alpha = one.alpha * (1 - part) + two.alpha * part
            let values = space.mixed(one, two, part, alpha: alpha, isLonger: false)
            let color = CSSColor(space.channels(ofWritten: values), alpha: alpha)
            return SVGElement(
                "stop", like: first,
                [
                    "offset": CSSLength.text(start + (end - start) * part),
                    "stop-color": color.text,
                ])
        }
    }

    private static func color(of stop: SVGElement) -> CSSColor? {
        guard let value = stop.value("stop-color")?.first, var color = CSSColor(value) else {
            return nil
        }
        let opacity = stop.value("stop-opacity")?.first.flatMap { CSSLength.number($0) } ?? 1
        color.alpha *= opacity
        return color
    }

    private static func offset(of stop: SVGElement) -> Double? {
        guard let value = CSSComponent.list(stop["offset"] ?? "0")?.first else { return nil }
        return CSSLength.number(value)
    }

    /// Fixes faults for which librsvg omits the whole element, and browsers only the primitive.
    private func mendPrimitives(of filter: SVGElement) {
        if ["width", "height"].contains(where: { filter.part($0) ?? 1 <= 0 }) {
            filter.children = []
            filter.append(SVGElement("feFlood", like: filter, ["flood-opacity": "0"]))
            for name in ["x", "y", "width", "height"] { filter[name] = nil }
            isChanged = true
            return
        }
        var results: Set<String> = [
            "SourceGraphic", "SourceAlpha", "BackgroundImage", "BackgroundAlpha", "FillPaint",
            "StrokePaint",
        ]
        for primitive in filter.elements where primitive.isSVG {
            for reader in [primitive] + primitive.elements {
                for name in ["in", "in2"] {
                    guard let input = reader[name], !results.contains(input) else { continue }
                    change(reader, name, to: nil)
                }
            }
            if let result = primitive["result"] { results.insert(result) }
            switch primitive.name {
            case "feGaussianBlur", "feDropShadow":
                guard primitive.numbers("stdDeviation").contains(where: { $0 < 0 }) else {
                    continue
                }
                change(primitive, "stdDeviation", to: "0")
            case "feTurbulence":
                guard primitive.numbers("numOctaves").first ?? 1 > Self.octavesMax else { continue }
                change(primitive, "numOctaves", to: CSSLength.text(Self.octavesMax))
            case "feColorMatrix":
                guard (primitive["type"] ?? "matrix") == "matrix", primitive["values"] != nil,
                    primitive.numbers("values").count != 20
                else { continue }
                change(primitive, "values", to: nil)
            default: break
            }
        }
    }

    /// Each octave has half the amplitude of the previous one: all further ones together are a quarter of a level.
    private static let octavesMax = 10.0

    // MARK: Light

    /// librsvg takes the colour of a light as linear, in filters with linear light.
    private func makeLightLinear(_ element: SVGElement) {
        let space = element.lineage.lazy
            .compactMap { $0.value("color-interpolation-filters")?.first?.ident }.first
        guard space != "srgb", let value = element.value("lighting-color"), let first = value.first,
            let color = CSSColor(first), let space = CSSColorSpace("srgb-linear")
        else { return }
        let linear = CSSColor(space.written(of: color.channels))
        guard linear.text != color.text else { return }
        set(element, "lighting-color", linear.text)
    }

    // MARK: The whole

    /// Moves clips, masks and filters of the drawing itself to a group around its contents, as librsvg misreads their
    /// units.
    private func wrapContent() {
        let names = ["clip-path", "mask", "filter"].filter { root.has($0) }
        guard !names.isEmpty, takes(1) else { return }
        let size = SIMD2(root.length("width") ?? -1, root.length("height") ?? -1)
        if let box = root.viewBox,
            SIMD4(box.x, box.y, box.width, box.height) != SIMD4(0, 0, size.x, size.y)
        {
            return note(.differs, "\(names[0]) of the whole drawing")
        }
        let group = root.group()
        for name in names {
            let value = root.value(name)?.text ?? "none"
            set(root, name, "none")
            set(group, name, value)
        }
    }

    /// The background colour, which only browsers paint.
    private func paintBackground() {
        guard
            let value = root.declared.last(where: {
                ["background", "background-color"].contains($0.name)
            })?.value
        else { return }
        guard value.count == 1, let color = CSSColor(value[0]) else {
            if value.first?.ident != "none" { note(.differs, "a background other than a colour") }
            return
        }
        guard color.alpha > 0, takes(1) else { return }
        let box =
            root.viewBox
            ?? SVGBox(
                x: 0, y: 0, width: root.style.viewport.x, height: root.style.viewport.y)
        // The viewBox may be narrower than the picture.
        let rectangle = SVGElement("rect", like: root)
        rectangle["x"] = CSSLength.text(box.x - 10 * box.width)
        rectangle["y"] = CSSLength.text(box.y - 10 * box.height)
        rectangle["width"] = CSSLength.text(21 * box.width)
        rectangle["height"] = CSSLength.text(21 * box.height)
        rectangle.declared = CSSDeclaration.list("fill:\(color.text);stroke:none")
        root.insert(rectangle, at: 0)
        (isChanged, isStyleForeign) = (true, true)
    }
}
