/// Custom properties are inherited by the target of `use`, so that the same element can look different each time.
extension SVGRewriting {
    private static let depthMax = 8

    /// Gives each `use` with different values its own copy of the element.
    func rewriteUses(_ cascade: inout SVGCascade) {
        for element in elements where element.name == "use" && element.isSVG {
            rewriteUse(element, &cascade, depth: 0)
        }
    }

    private func rewriteUse(_ use: SVGElement, _ cascade: inout SVGCascade, depth: Int) {
        guard depth < Self.depthMax, let id = use.reference, let target = named[id] else { return }
        let here = use.style.variables
        let there = target.parent?.style.variables ?? [:]
        guard !here.isEmpty || !there.isEmpty else { return }
        let isSame = Self.references(in: target).allSatisfy { here[$0] == there[$0] }
        guard !isSame, takes(copyOf: target) else { return }
        let copy = target.copy()
        copy.visit { $0["id"] = nil }
        cascade.resolve(copy, use.style)
        use.href = "#\(define(copy))"
        isStyleForeign = true
        for use in copy.all where use.name == "use" { rewriteUse(use, &cascade, depth: depth + 1) }
    }

    private static func references(in element: SVGElement) -> Set<String> {
        var found: Set<String> = []
        element.visit {
            for declaration in $0.matched {
                found.formUnion(CSSVariables.references(in: declaration.value))
            }
        }
        return found
    }
}
