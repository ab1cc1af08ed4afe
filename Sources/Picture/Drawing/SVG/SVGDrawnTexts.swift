/// The drawn characters of the texts of a drawing, whatever draws them.
///
/// An element that is only referred to counts as drawn if anything refers to it.
struct SVGDrawnTexts {
    /// Each once.
    private(set) var characters: Set<Character> = []
    private let rewriting: SVGRewriting
    private let referenced: Set<String>

    /// Elements whose text is not shown; librsvg draws no text on a path.
    private static let silent: Set<String> = [
        "title", "desc", "metadata", "style", "script", "textPath",
    ]

    /// Reads a drawing after all rewrites.
    init(_ rewriting: SVGRewriting) {
        self.rewriting = rewriting
        referenced = Self.references(in: rewriting.root)
        visit(rewriting.root, isShown: true)
    }

    private mutating func visit(_ element: SVGElement, isShown: Bool) {
        guard element.isSVG, !Self.silent.contains(element.name) else { return }
        let isHolder = element.parent != nil && SVGElement.undrawn.contains(element.name)
        let isReferenced = element["id"].map(referenced.contains) ?? false
        let isShown = !Self.isNone(element) && (isReferenced || isShown && !isHolder)
        guard element.name != "text" else {
            if isShown { take(element) }
            return
        }
        for child in element.elements { visit(child, isShown: isShown) }
    }

    private mutating func take(_ part: SVGElement) {
        let visibility = rewriting.inherited("visibility", for: part)?.first?.ident
        let isVisible = visibility != "hidden" && visibility != "collapse"
        for child in part.children {
            switch child {
            case .text(let text): if isVisible { characters.formUnion(text) }
            case .element(let inner):
                guard inner.isSVG, !Self.silent.contains(inner.name), !Self.isNone(inner) else {
                    continue
                }
                take(inner)
            }
        }
    }

    private static func isNone(_ element: SVGElement) -> Bool {
        element.value("display")?.first?.ident == "none"
    }

    // MARK: References

    private static func references(in root: SVGElement) -> Set<String> {
        var found: Set<String> = []
        root.visit { element in
            if let id = element.reference { found.insert(id) }
            for attribute in element.attributes { found.formUnion(addresses(in: attribute.value)) }
            for declaration in element.declared {
                found.formUnion(addresses(in: declaration.value.text))
            }
        }
        return found
    }

    /// The names in `url(#name)`.
    private static func addresses(in value: String) -> [String] {
        guard value.contains("url(") else { return [] }
        let parts = value.split(separator: "url(", omittingEmptySubsequences: false)
        return parts.dropFirst().map { rest in
            rest.prefix { $0 != ")" }.filter { !"\"' #".contains($0) }
        }
    }
}
