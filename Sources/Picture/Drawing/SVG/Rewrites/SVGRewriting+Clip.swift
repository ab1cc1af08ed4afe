/// Shapes and pictures that cut others, as the elements that librsvg cuts with (CSS Masking Level 1).
extension SVGRewriting {
    func rewriteClips() {
        var users: [String: [SVGElement]] = [:]
        Self.addUsers(in: root, to: &users)
        for element in elements where element.name == "clipPath" && element.isSVG {
            passTransformOn(element, users)
            turnIntoMask(element, &users)
        }
        for element in elements where element.isSVG {
            rewriteClipPath(of: element)
            rewriteMask(of: element)
            if element.name != "clipPath" { rewriteClipOfClip(element) }
        }
    }

    /// Adds the elements that are cut, by the address of their clip.
    private static func addUsers(in element: SVGElement, to users: inout [String: [SVGElement]]) {
        element.visit {
            guard let address = $0.value("clip-path")?.first?.token(.url)?.value else { return }
            users[address, default: []].append($0)
        }
    }

    /// librsvg ignores the transform of a clip.
    private func passTransformOn(_ clip: SVGElement, _ users: [String: [SVGElement]]) {
        guard let transform = clip["transform"] else { return }
        guard clip["clipPathUnits"] != "objectBoundingBox" else {
            guard users["#\(clip["id"] ?? "")"] != nil else { return }
            return note(.differs, "a clip with a transform")
        }
        for child in clip.elements {
            child["transform"] = child["transform"].map { "\(transform) \($0)" } ?? transform
        }
        change(clip, "transform", to: nil)
    }

    /// librsvg cuts with one path, which is wrong for shapes that overlap or are clipped themselves. A mask is right.
    private func turnIntoMask(_ clip: SVGElement, _ users: inout [String: [SVGElement]]) {
        let shapes = clip.elements.filter {
            $0.isSVG && !SVGElement.undrawn.contains($0.name) && !["g", "svg"].contains($0.name)
        }
        let isCut = shapes.contains { $0.has("clip-path") }
        let overlaps =
            shapes.count > 1
            && shapes.contains { inherited("clip-rule", for: $0)?.first?.ident == "evenodd" }
        guard isCut || overlaps, let id = clip["id"], takes(copyOf: clip) else { return }
        let units = clip["clipPathUnits"] ?? "userSpaceOnUse"
        let mask = SVGElement(
            "mask", like: clip,
            [
                "maskUnits": "userSpaceOnUse", "x": "-99999", "y": "-99999", "width": "199998",
                "height": "199998",
            ])
        mask["maskContentUnits"] = units
        set(mask, "mask-type", "alpha")
        for shape in shapes {
            let copy = shape.copy()
            copy.visit {
                let rule = inherited("clip-rule", for: $0) ?? inherited("clip-rule", for: shape)
                set($0, "fill", "#fff")
                set($0, "stroke", "none")
                set($0, "opacity", "1")
                set($0, "fill-rule", rule?.text ?? "nonzero")
                $0["id"] = nil
            }
            mask.append(copy)
        }
        if let outer = clip.value("clip-path") { set(mask, "clip-path", outer.text) }
        let name = define(mask)
        Self.addUsers(in: mask, to: &users)
        for user in users["#\(id)"] ?? [] {
            guard user.parent != nil, user.name != "clipPath" else { continue }
            set(user, "clip-path", "none")
            guard user.has("mask") else {
                set(user, "mask", "url(#\(name))")
                continue
            }
            guard takes(1) else { continue }
            set(user.wrapped(), "mask", "url(#\(name))")
        }
    }

    /// `clip-path: circle(...)`.
    private func rewriteClipPath(of element: SVGElement) {
        guard let value = element.value("clip-path"),
            value.contains(where: { if case .function = $0 { true } else { false } })
                || value.contains(where: { $0.ident?.hasSuffix("-box") == true })
        else { return }
        guard let box = clipBox(of: element, value),
            let shape = CSSShape.element(value, box, element),
            takes(2)
        else { return note(.differs, "clip-path: \(value.text.prefix(40))") }
        let clip = SVGElement("clipPath", like: element, ["clipPathUnits": "userSpaceOnUse"])
        clip.append(shape)
        set(element, "clip-path", "url(#\(define(clip)))")
    }

    private func clipBox(of element: SVGElement, _ value: [CSSComponent]) -> SVGBox? {
        let size = element.style.viewport
        let word = value.compactMap(\.ident).first { $0.hasSuffix("-box") }
        if word == "view-box" { return SVGBox(x: 0, y: 0, width: size.x, height: size.y) }
        guard var box = element.bounds else { return nil }
        if word == "stroke-box" || word == "border-box" || word == "margin-box" {
            let half = (element.length("stroke-width") ?? 1) / 2
            box = SVGBox(
                x: box.x - half, y: box.y - half, width: box.width + 2 * half,
                height: box.height + 2 * half)
        }
        return box
    }

    /// A mask named by one of the newer properties.
    private func rewriteMask(of element: SVGElement) {
        func declared(_ name: String) -> [CSSComponent]? {
            element.declared.last { $0.name == name || $0.name == "-webkit-\(name)" }?.value
        }
        let shorthand = declared("mask").flatMap { $0.solid.count > 1 ? $0 : nil }
        guard let value = declared("mask-image") ?? shorthand, value.first?.ident != "none" else {
            return
        }
        guard let mask = target(of: value), let id = value.first?.reference else {
            return note(.differs, "mask-image: \(value.text.prefix(40))")
        }
        let words = Set(
            value.compactMap(\.ident) + (declared("mask-mode") ?? []).compactMap(\.ident))
        guard words.contains("alpha"), takes(copyOf: mask) else {
            return set(element, "mask", "url(#\(id))")
        }
        let copy = mask.copy()
        set(copy, "mask-type", "alpha")
        set(element, "mask", "url(#\(define(copy)))")
    }

    private static let clipsMax = 16

    /// An element whose clip is itself clipped gets two nested ones, and so on, as long as the drawing may grow.
    private func rewriteClipOfClip(_ element: SVGElement) {
        var (inner, seen): (SVGElement, Set<String>) = (element, [])
        while let id = inner.value("clip-path")?.first?.reference, seen.insert(id).inserted,
            let clip = named[id], clip.name == "clipPath", let outer = clip.value("clip-path"),
            outer.first?.token(.url) != nil, inner.parent != nil, takes(1)
        {
            guard seen.count <= Self.clipsMax else {
                return note(.differs, "more than \(Self.clipsMax) clips of one another")
            }
            inner = inner.wrapped()
            set(inner, "clip-path", outer.text)
        }
    }
}

/// Basic shapes (CSS Shapes Level 1) as elements.
enum CSSShape {
    /// The shape within `box`, or the box itself if a value has no shape; `nil` if it is invalid.
    static func element(
        _ value: [CSSComponent], _ box: SVGBox, _ like: SVGElement
    ) -> SVGElement? {
        for component in value {
            guard case .function(let name, let arguments) = component else { continue }
            let reader = ShapeReader(box: box, style: like.style, like: like)
            switch name {
            case "circle", "ellipse":
                return reader.round(arguments.solid, isCircle: name == "circle")
            case "inset": return reader.inset(arguments.solid)
            case "rect": return reader.rectangle(arguments.solid)
            case "xywh": return reader.measured(arguments.solid)
            case "polygon": return reader.polygon(arguments)
            case "path":
                guard let data = arguments.compactMap({ $0.token(.string) }).last?.value else {
                    return nil
                }
                let path = SVGElement("path", like: like, ["d": data])
                if arguments.contains(where: { $0.ident == "evenodd" }) {
                    path["clip-rule"] = "evenodd"
                }
                return path
            default: return nil
            }
        }
        return value.contains { $0.ident?.hasSuffix("-box") == true }
            ? ShapeReader(box: box, style: like.style, like: like).box(0, 0, 0, 0, radius: 0) : nil
    }
}

private struct ShapeReader {
    let box: SVGBox
    let style: SVGStyle
    let like: SVGElement

    private func length(_ component: CSSComponent, _ whole: Double) -> Double? {
        style.pixels([component], of: whole)
    }

    private func element(_ name: String, _ attributes: [(String, Double)]) -> SVGElement {
        let made = SVGElement(name, like: like)
        for (name, number) in attributes { made[name] = CSSLength.text(number) }
        return made
    }

    /// `circle(RADIUS at X Y)`, `ellipse(RX RY at X Y)`.
    func round(_ arguments: [CSSComponent], isCircle: Bool) -> SVGElement? {
        let parts = arguments.split(maxSplits: 1, omittingEmptySubsequences: false) {
            $0.ident == "at"
        }
        let place = parts.count > 1 ? Array(parts[1]) : []
        let x = box.x + position(place, 0, box.width), y = box.y + position(place, 1, box.height)
        let (left, right) = (x - box.x, box.x + box.width - x)
        let (top, bottom) = (y - box.y, box.y + box.height - y)
        func radius(_ component: CSSComponent?, _ near: Double, _ far: Double, _ whole: Double)
            -> Double?
        {
            guard let component else { return near }
            switch component.ident {
            case "closest-side": return near
            case "farthest-side": return far
            default: return length(component, whole)
            }
        }
        let radii = Array(parts.first ?? [])
        if isCircle {
            let diagonal = ((box.width * box.width + box.height * box.height) / 2).squareRoot()
            guard
                let r = radius(
                    radii.first, min(left, right, top, bottom), max(left, right, top, bottom),
                    diagonal)
            else { return nil }
            return element("circle", [("cx", x), ("cy", y), ("r", r)])
        }
        guard let rx = radius(radii.first, min(left, right), max(left, right), box.width),
            let ry = radius(
                radii.count > 1 ? radii[1] : nil, min(top, bottom), max(top, bottom), box.height)
        else { return nil }
        return element("ellipse", [("cx", x), ("cy", y), ("rx", rx), ("ry", ry)])
    }

    private func position(_ place: [CSSComponent], _ index: Int, _ whole: Double) -> Double {
        guard index < place.count else { return whole / 2 }
        return style.position(place[index], in: whole) ?? whole / 2
    }

    /// `inset(TOP RIGHT BOTTOM LEFT round RADIUS)`.
    func inset(_ arguments: [CSSComponent]) -> SVGElement? {
        let parts = arguments.split(maxSplits: 1, omittingEmptySubsequences: false) {
            $0.ident == "round"
        }
        let sides = Array(parts.first ?? [])
        guard let first = sides.first, sides.count <= 4 else { return nil }
        let right = sides.count > 1 ? sides[1] : first
        let bottom = sides.count > 2 ? sides[2] : first
        let left = sides.count > 3 ? sides[3] : right
        guard let t = length(first, box.height), let r = length(right, box.width),
            let b = length(bottom, box.height), let l = length(left, box.width)
        else { return nil }
        let radius = parts.count > 1 ? parts[1].first.flatMap { length($0, box.width) } : nil
        return self.box(t, r, b, l, radius: radius ?? 0)
    }

    /// `rect(TOP RIGHT BOTTOM LEFT)`, all from the upper left corner.
    func rectangle(_ arguments: [CSSComponent]) -> SVGElement? {
        guard arguments.count >= 4 else { return nil }
        func side(_ index: Int, _ whole: Double, auto: Double) -> Double? {
            arguments[index].ident == "auto" ? auto : length(arguments[index], whole)
        }
        guard let t = side(0, box.height, auto: 0), let r = side(1, box.width, auto: box.width),
            let b = side(2, box.height, auto: box.height), let l = side(3, box.width, auto: 0)
        else { return nil }
        return self.box(t, box.width - r, box.height - b, l, radius: 0)
    }

    /// `xywh(X Y WIDTH HEIGHT)`.
    func measured(_ arguments: [CSSComponent]) -> SVGElement? {
        guard arguments.count >= 4, let x = length(arguments[0], box.width),
            let y = length(arguments[1], box.height), let width = length(arguments[2], box.width),
            let height = length(arguments[3], box.height)
        else { return nil }
        return box(y, box.width - x - width, box.height - y - height, x, radius: 0)
    }

    func box(_ top: Double, _ right: Double, _ bottom: Double, _ left: Double, radius: Double)
        -> SVGElement
    {
        element(
            "rect",
            [
                ("x", box.x + left), ("y", box.y + top),
                ("width", max(0, box.width - left - right)),
                ("height", max(0, box.height - top - bottom)), ("rx", radius),
            ])
    }

    /// `polygon(evenodd, X Y, X Y)`.
    func polygon(_ arguments: [CSSComponent]) -> SVGElement? {
        var (points, rule): ([String], String?) = ([], nil)
        for part in arguments.byComma {
            let pair = part.solid
            if pair.count == 1 {
                rule = pair[0].ident
                continue
            }
            guard pair.count == 2, let x = length(pair[0], box.width),
                let y = length(pair[1], box.height)
            else { return nil }
            points.append("\(CSSLength.text(box.x + x)),\(CSSLength.text(box.y + y))")
        }
        let made = SVGElement("polygon", like: like, ["points": points.joined(separator: " ")])
        made["clip-rule"] = rule
        return made
    }
}
