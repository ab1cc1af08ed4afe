/// A drawing during the replacement of features that librsvg does not understand.
final class SVGRewriting {
    let root: SVGElement
    /// Elements that may still be added.
    private(set) var elementsLeft: Int
    /// Whether anything was replaced.
    var isChanged = false
    /// Whether styles must be written into their elements.
    var isStyleForeign = false
    let shared: SVGShared
    /// The elements with an `id`.
    private(set) var named: [String: SVGElement]
    /// The names of groups with the contents of symbols.
    var contents: [ObjectIdentifier: String] = [:]
    private var weights: [ObjectIdentifier: (element: SVGElement, weight: Int)] = [:]
    private var definitions: SVGElement?
    private var count = 0

    init(_ tree: SVGTree, shared: SVGShared, elementsMax: Int) {
        self.shared = shared
        root = tree.root
        elementsLeft = max(0, elementsMax - tree.elements)
        named = tree.elementsByID()
    }

    /// Notes a difference from the drawing's intent.
    func note(_ kind: SVGNotes.Kind, _ what: String) { shared.note(kind, what) }

    /// All current elements, the outer ones first.
    var elements: [SVGElement] { root.all }

    /// Reserves `number` new elements; `false` if that is too many.
    func takes(_ number: Int) -> Bool {
        guard number <= elementsLeft else { return false }
        elementsLeft -= number
        return true
    }

    /// Reserves the cost of a copy of an element with its contents: an element for each, and one for each 64 bytes of
    /// attributes and text.
    func takes(copyOf element: SVGElement) -> Bool {
        let known = weights[ObjectIdentifier(element)] ?? (element, Self.weight(element))
        weights[ObjectIdentifier(element)] = known
        return takes(known.weight)
    }

    private static func weight(_ element: SVGElement) -> Int {
        let said = element.attributes.reduce(0) { $0 + $1.value.utf8.count }
        return element.elements.reduce(1 + said / 64) { $0 + weight($1) }
    }

    /// Adds an element to the definitions.
    ///
    /// - Returns: its new name.
    func define(_ element: SVGElement) -> String {
        let id = freshName()
        element["id"] = id
        if definitions == nil {
            let defs = SVGElement("defs", like: root)
            root.insert(defs, at: 0)
            definitions = defs
        }
        definitions?.append(element)
        named[id] = element
        isChanged = true
        return id
    }

    /// A name that is unused in the drawing.
    func freshName() -> String {
        count += 1
        var name = "stickerd-\(count)"
        while named[name] != nil { name += "-" }
        return name
    }

    /// Adds the strongest declaration of an element.
    func set(_ element: SVGElement, _ name: String, _ value: String) {
        element.declared.removeAll { $0.name == name }
        if SVGProperties.presentation.contains(name) { element[name] = nil }
        element.declared.append(
            CSSDeclaration(name: name, value: CSSComponent.list(value) ?? []))
        (isChanged, isStyleForeign) = (true, true)
    }

    /// Changes or removes an attribute.
    func change(_ element: SVGElement, _ name: String, to value: String?) {
        element[name] = value
        isChanged = true
    }

    /// The value of an inherited property for an element.
    func inherited(_ name: String, for element: SVGElement) -> [CSSComponent]? {
        for outer in element.lineage {
            if let value = outer.value(name), value.first?.ident != "inherit" { return value }
        }
        return nil
    }

    /// The element of this drawing that a value begins with: `url(#name)`.
    func target(of value: [CSSComponent]?) -> SVGElement? {
        value?.first?.reference.flatMap { named[$0] }
    }

    /// Replaces a property by an attribute.
    func move(_ element: SVGElement, _ properties: [String], to name: String, _ value: String) {
        element.declared.removeAll { properties.contains($0.name) }
        element[name] = value
        (isChanged, isStyleForeign) = (true, true)
    }

    /// Writes the styles into their elements, in place of style sheets.
    ///
    /// - Parameter bytesMax: their greatest total length.
    /// - Returns: `false` if they are longer.
    func writeStyles(bytesMax: Int) -> Bool {
        var left = bytesMax
        for element in elements {
            if element.name == "style", element.isSVG {
                element.parent?.remove(element)
                continue
            }
            element["style"] = element.declared.isEmpty ? nil : Self.text(of: element.declared)
            left -= element["style"]?.utf8.count ?? 0
            guard left >= 0 else { return false }
        }
        return true
    }

    private static func text(of declarations: [CSSDeclaration]) -> String {
        var written: [String] = []
        for declaration in declarations {
            let text = "\(declaration.name):\(declaration.value.text)"
            if let place = written.firstIndex(of: text) { written.remove(at: place) }
            written.append(text)
        }
        return written.joined(separator: ";")
    }
}
