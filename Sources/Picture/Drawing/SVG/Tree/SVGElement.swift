/// An element of a drawing, which rewrites may change.
final class SVGElement {
    /// A child of an element.
    enum Node {
        case element(SVGElement)
        case text(String)
    }

    /// A name with its value. Declarations of namespaces are attributes, too.
    struct Attribute {
        /// The name without its prefix.
        var name: String
        /// Such as `xlink`, or empty.
        var prefix = ""
        var value: String
    }

    /// The name without its prefix.
    var name: String
    /// The prefix that the file uses for its namespace, or empty.
    var prefix: String
    /// Whether it belongs to SVG; other elements are private data of drawing programs, or HTML.
    let isSVG: Bool
    var attributes: [Attribute]
    var children: [Node] = []
    private(set) unowned(unsafe) var parent: SVGElement?
    /// The declarations of the style sheets and its own `style`, the strongest last; see `SVGCascade`.
    var declared: [CSSDeclaration] = []
    /// The same as written, with custom properties.
    var matched: [CSSDeclaration] = []
    /// Its inherited style, with its own changes.
    var style = SVGStyle()

    init(_ name: String, prefix: String = "", isSVG: Bool = true, attributes: [Attribute] = []) {
        (self.name, self.prefix, self.isSVG, self.attributes) = (name, prefix, isSVG, attributes)
    }

    /// An SVG element with the prefix of `other`.
    convenience init(
        _ name: String, like other: SVGElement, _ attributes: KeyValuePairs<String, String> = [:]
    ) {
        self.init(
            name, prefix: other.prefix,
            attributes: attributes.map { Attribute(name: $0.key, value: $0.value) })
    }

    // MARK: Attributes

    /// The attribute `name` without a prefix.
    subscript(name: String) -> String? {
        get { attributes.first { $0.name == name && $0.prefix.isEmpty }?.value }
        set {
            let place = attributes.firstIndex { $0.name == name && $0.prefix.isEmpty }
            switch (place, newValue) {
            case (let place?, let value?): attributes[place].value = value
            case (let place?, nil): attributes.remove(at: place)
            case (nil, let value?): attributes.append(Attribute(name: name, value: value))
            case (nil, nil): break
            }
        }
    }

    /// Its reference: `href`, which overrides `xlink:href`.
    var href: String? {
        get { self["href"] ?? attributes.first { $0.name == "href" }?.value }
        set {
            attributes.removeAll { $0.name == "href" }
            // The older name needs a declared namespace, which the drawing may lack.
            self["href"] = newValue
        }
    }

    /// The name of the element of this drawing that it refers to.
    var reference: String? {
        guard let href, href.hasPrefix("#") else { return nil }
        return String(href.dropFirst())
    }

    // MARK: Tree

    /// Its child elements.
    var elements: [SVGElement] {
        children.compactMap {
            guard case .element(let child) = $0 else { return nil }
            return child
        }
    }

    /// All text directly in it.
    var text: String {
        children.reduce(into: "") {
            guard case .text(let text) = $1 else { return }
            $0 += text
        }
    }

    func append(_ child: SVGElement) {
        child.parent = self
        children.append(.element(child))
    }

    func insert(_ child: SVGElement, at index: Int) {
        child.parent = self
        children.insert(.element(child), at: index)
    }

    func append(_ text: String) { children.append(.text(text)) }

    /// Replaces `child`, which may become part of `others`.
    func replace(_ child: SVGElement, by others: [SVGElement]) {
        guard let place = place(of: child) else { return }
        for other in others { other.parent = self }
        children.replaceSubrange(place...place, with: others.map { .element($0) })
    }

    func remove(_ child: SVGElement) {
        guard let place = place(of: child) else { return }
        children.remove(at: place)
    }

    private func place(of child: SVGElement) -> Int? {
        children.firstIndex {
            guard case .element(let element) = $0 else { return false }
            return element === child
        }
    }

    /// Puts a new group around this one, which takes over its transform.
    func wrapped() -> SVGElement {
        let outer = SVGElement("g", like: self)
        outer["transform"] = self["transform"]
        self["transform"] = nil
        parent?.replace(self, by: [outer])
        outer.append(self)
        return outer
    }

    /// Visits it and its descendants, the outer ones first. Elements that a visit adds below its element are visited,
    /// too.
    func visit(_ body: (SVGElement) -> Void) {
        body(self)
        for child in elements { child.visit(body) }
    }

    /// It and its descendants, the outer ones first.
    var all: [SVGElement] {
        var found: [SVGElement] = []
        visit { found.append($0) }
        return found
    }

    /// It and the elements around it, the inner ones first.
    var lineage: UnfoldFirstSequence<SVGElement> { sequence(first: self, next: \.parent) }

    /// Puts a new element around all child elements; other content is dropped.
    func group(_ attributes: KeyValuePairs<String, String> = [:]) -> SVGElement {
        let group = SVGElement("g", like: self, attributes)
        for child in elements { group.append(child) }
        children = []
        append(group)
        return group
    }

    /// A copy with all descendants.
    func copy() -> SVGElement {
        let copy = SVGElement(name, prefix: prefix, isSVG: isSVG, attributes: attributes)
        (copy.declared, copy.matched, copy.style) = (declared, matched, style)
        for child in children {
            switch child {
            case .element(let element): copy.append(element.copy())
            case .text(let text): copy.append(text)
            }
        }
        return copy
    }
}
