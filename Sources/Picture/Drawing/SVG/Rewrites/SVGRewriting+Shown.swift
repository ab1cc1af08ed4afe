/// Content that is shown in other places than its own, or nowhere.
extension SVGRewriting {
    // MARK: What is shown again

    /// Shows a symbol as a nested picture, its definition (SVG 2, section 5.5), which librsvg clips more correctly; and
    /// gives another picture the size of its `use`.
    func unfold(_ use: SVGElement) {
        guard let id = use.reference, let target = named[id] else { return }
        switch target.name {
        case "symbol":
            guard takes(5) else { return }
            let picture = SVGElement("svg", like: use)
            for name in ["x", "y", "width", "height"] {
                let isSide = name == "width" || name == "height"
                let own = isSide ? target.value(name)?.text : nil
                let side = use.value(name)?.text ?? own
                picture[name] = side == "auto" ? nil : side
            }
            for name in ["viewBox", "preserveAspectRatio"] { picture[name] = target[name] }
            let word = target.value("overflow")?.first?.ident
            if word == "visible" || word == "auto" { picture["overflow"] = "visible" }
            picture.append(SVGElement("use", like: use, ["href": "#\(content(of: target))"]))
            use.name = "g"
            use.attributes.removeAll { ["x", "y", "width", "height", "href"].contains($0.name) }
            use.declared.removeAll { SVGProperties.geometry.contains($0.name) }
            use.append(picture)
            (isChanged, isStyleForeign) = (true, true)
        case "svg" where target.parent != nil:
            guard use["width"] != nil || use["height"] != nil, takes(copyOf: target) else {
                return
            }
            let copy = target.copy()
            copy.visit { $0["id"] = nil }
            for name in ["width", "height"] { if let side = use[name] { copy[name] = side } }
            use.href = "#\(define(copy))"
        default: break
        }
    }

    /// The name of a group with the contents of a symbol.
    private func content(of symbol: SVGElement) -> String {
        if let id = contents[ObjectIdentifier(symbol)] { return id }
        let names = [
            "viewBox", "preserveAspectRatio", "overflow", "x", "y", "width", "height", "display",
        ]
        let group = SVGElement("g", like: symbol)
        group.attributes = symbol.attributes.filter { !names.contains($0.name) }
        group.declared = symbol.declared.filter { !names.contains($0.name) }
        group.style = symbol.style
        for child in symbol.elements { group.append(child) }
        symbol.children = []
        let id = define(group)
        contents[ObjectIdentifier(symbol)] = id
        return id
    }

    // MARK: What is not shown

    /// Removes paints, clips, masks and filters that are not shown, or in `defs` that are not. For Chromium they do not
    /// exist, except as templates; a whole drawing is always shown.
    func dropHidden(
        in element: SVGElement, isHidden: Bool, _ templates: Set<String>
    ) {
        let isNone = element.value("display")?.first?.ident == "none"
        if isNone, element.parent == nil { set(element, "display", "inline") }
        let isHolder = element.name == "defs" || element.name == "svg" && element.parent != nil
        let isHidden = isHidden || isHolder && (isNone || !speaks(element))
        if isHidden || isNone, Self.resources.contains(element.name), let id = element["id"],
            !templates.contains(id)
        {
            change(element, "id", to: nil)
        }
        for child in element.elements { dropHidden(in: child, isHidden: isHidden, templates) }
        guard !speaks(element), element.parent?.name != "switch",
            !SVGElement.undrawn.contains(element.name)
        else { return }
        element.parent?.remove(element)
        isChanged = true
    }

    private static let resources: Set<String> = [
        "clipPath", "mask", "marker", "pattern", "linearGradient", "radialGradient", "filter",
    ]
}
