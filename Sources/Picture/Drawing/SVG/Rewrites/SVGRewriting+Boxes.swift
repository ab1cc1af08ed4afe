/// Paints, masks and clips in fractions of a shape's box: on turned shapes, librsvg uses a larger box, that of the
/// turned shape, so they are converted to units of the drawing.
extension SVGRewriting {
    private static let properties = ["fill", "stroke", "mask", "clip-path"]

    func rewriteBoxes() {
        let turned = turnedElements()
        var known: [String: String] = [:]
        for element in elements {
            let isTurned = turned.contains(ObjectIdentifier(element))
            if isTurned, element.name == "use" { notePaints(ofShown: element) }
            let isGroup = ["g", "a", "use", "svg", "switch"].contains(element.name)
            for name in Self.properties.dropFirst(isGroup ? 2 : 0) {
                guard isTurned || name == "clip-path" else { continue }
                let isPaint = name == "fill" || name == "stroke"
                guard let value = isPaint ? inherited(name, for: element) : element.value(name),
                    let id = value.first?.reference, let server = named[id], isRelative(server),
                    isTurned || server["transform"] != nil
                else { continue }
                guard let box = element.bounds else {
                    note(.differs, "\(server.name) in parts of something that is turned")
                    continue
                }
                guard box.width > 0, box.height > 0 else { continue }
                let key = "\(box) \(id)"
                guard let address = known[key] ?? absolute(server, box).map({ "url(#\($0))" })
                else { continue }
                known[key] = address
                let rest = Array(value.dropFirst()).text
                set(element, name, address + rest)
            }
        }
    }

    /// The target of a `use` inherits its paints, although no element of the target shows that.
    private func notePaints(ofShown use: SVGElement) {
        for name in ["fill", "stroke"] {
            guard let paint = target(of: inherited(name, for: use)), isRelative(paint)
            else { continue }
            note(.differs, "\(paint.name) in parts of something that is turned")
        }
    }

    // MARK: What is turned

    /// All elements along other axes than the picture's, wherever they are.
    private func turnedElements() -> Set<ObjectIdentifier> {
        var found: Set<ObjectIdentifier> = []
        var open = elements.filter { Self.isTurned($0) || $0.name == "marker" }
        guard open.contains(where: { $0.name != "marker" || $0["orient"] != nil }) else {
            return []
        }
        while let next = open.popLast() {
            guard found.insert(ObjectIdentifier(next)).inserted else { continue }
            open += next.elements
            if next.name == "use", let target = next.reference.flatMap({ named[$0] }) {
                open.append(target)
            }
            for name in ["mask", "fill", "stroke"] {
                if let server = target(of: next.value(name)) { open.append(server) }
            }
        }
        return found
    }

    private static func isTurned(_ element: SVGElement) -> Bool {
        (element["transform"] ?? element["patternTransform"]).flatMap { SVGMatrix($0) }?.isTurned
            ?? false
    }

    // MARK: Units

    /// The attribute of a paint, or of the first of its templates that has it.
    private func said(_ name: String, of server: SVGElement) -> String? {
        templates(of: server).lazy.compactMap { $0[name] }.first
    }

    func isRelative(_ server: SVGElement) -> Bool {
        func units(_ name: String) -> String { said(name, of: server) ?? "objectBoundingBox" }
        switch server.name {
        case "linearGradient", "radialGradient":
            return units("gradientUnits") == "objectBoundingBox"
        case "pattern":
            return units("patternUnits") == "objectBoundingBox"
                || said("patternContentUnits", of: server) == "objectBoundingBox"
        case "mask":
            return units("maskUnits") == "objectBoundingBox"
                || server["maskContentUnits"] == "objectBoundingBox"
        case "clipPath": return server["clipPathUnits"] == "objectBoundingBox"
        default: return false
        }
    }

    /// The name of a copy for a shape in `box`, in units of the drawing; `nil` if the drawing would get too large.
    private func absolute(_ server: SVGElement, _ box: SVGBox) -> String? {
        guard takes(2), takes(copyOf: server) else {
            note(.differs, "\(server.name) in parts of something that is turned")
            return nil
        }
        let matrix = SVGMatrix(a: box.width, b: 0, c: 0, d: box.height, e: box.x, f: box.y)
        switch server.name {
        case "linearGradient", "radialGradient": return define(gradient(server, matrix))
        case "pattern": return define(pattern(server, box))
        default:
            let copy = server.copy()
            copy.visit { $0["id"] = nil }
            if server.name == "clipPath" {
                for child in copy.elements {
                    let parts = [copy["transform"], matrix.text, child["transform"]]
                    child["transform"] = parts.compactMap { $0 }.joined(separator: " ")
                }
                copy["transform"] = nil
                copy["clipPathUnits"] = "userSpaceOnUse"
            } else {
                place(copy, box, "maskUnits", (-0.1, 1.2))
                if copy["maskContentUnits"] == "objectBoundingBox" {
                    _ = copy.group(["transform": matrix.text])
                    copy["maskContentUnits"] = nil
                }
            }
            return define(copy)
        }
    }

    private func gradient(_ server: SVGElement, _ matrix: SVGMatrix) -> SVGElement {
        let made = SVGElement(server.name, like: server, ["href": "#\(server["id"] ?? "")"])
        let values =
            server.name == "linearGradient"
            ? ["x1": 0, "y1": 0, "x2": 1, "y2": 0]
            : ["cx": 0.5, "cy": 0.5, "r": 0.5, "fr": 0]
        func place(_ name: String) -> Double? {
            templates(of: server).lazy.compactMap { $0.part(name) }.first
        }
        for (name, value) in values { made[name] = CSSLength.text(place(name) ?? value) }
        for name in ["fx", "fy"] { made[name] = place(name).map { CSSLength.text($0) } }
        let own = said("gradientTransform", of: server).flatMap { SVGMatrix($0) } ?? .identity
        made["gradientUnits"] = "userSpaceOnUse"
        made["gradientTransform"] = (matrix * own).text
        return made
    }

    private func pattern(_ server: SVGElement, _ box: SVGBox) -> SVGElement {
        let made = server.copy()
        for name in ["viewBox", "preserveAspectRatio", "patternTransform", "patternContentUnits"]
        where made[name] == nil {
            made[name] = said(name, of: server)
        }
        for name in ["x", "y", "width", "height"] { made[name] = said(name, of: server) }
        if made.elements.isEmpty,
            let full = templates(of: server).first(where: { !$0.elements.isEmpty })
        {
            for child in full.elements { made.append(child.copy()) }
        }
        made.visit { $0["id"] = nil }
        made.attributes.removeAll { $0.name == "href" }
        place(made, box, "patternUnits", (0, 0))
        if made["patternContentUnits"] == "objectBoundingBox", made.viewBox == nil {
            let scale = SVGMatrix.scale(box.width, box.height)
            _ = made.group(["transform": scale.text])
        }
        made["patternContentUnits"] = nil
        return made
    }

    /// Gives it a rectangle in units of the drawing.
    private func place(
        _ server: SVGElement, _ box: SVGBox, _ units: String,
        _ initial: (place: Double, side: Double)
    ) {
        defer { server[units] = "userSpaceOnUse" }
        guard server[units] != "userSpaceOnUse" else { return }
        for (name, start, whole) in [
            ("x", box.x, box.width), ("y", box.y, box.height), ("width", 0, box.width),
            ("height", 0, box.height),
        ] {
            let isSide = name == "width" || name == "height"
            let part = server.part(name) ?? (isSide ? initial.side : initial.place)
            server[name] = CSSLength.text(start + part * whole)
        }
    }
}
