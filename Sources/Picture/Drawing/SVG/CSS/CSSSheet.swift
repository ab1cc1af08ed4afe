/// A style sheet for a still picture on a bright screen.
struct CSSSheet {
    private(set) var rules: [CSSRule] = []
    /// Layers by their names, the weakest first.
    private(set) var layers: [String] = []
    /// Values of custom properties from `@property`.
    private(set) var variables: [String: [CSSComponent]] = [:]
    /// Whether librsvg does not understand some of it.
    private(set) var isForeign = false
    private var unnamedLayers = 0

    /// The most rules of one file.
    private static let rulesMax = 50_000

    /// Adds the contents of a `style` element; later rules are stronger.
    mutating func add(_ text: String) {
        guard let components = CSSComponent.list(text) else { return }
        addRules(components[...], parents: nil, layer: nil)
    }

    /// Rules, or the contents of one's block: declarations and rules.
    private mutating func addRules(
        _ components: ArraySlice<CSSComponent>, parents: [CSSSelector]?, layer: String?
    ) {
        var rest = components
        var declarations: [CSSDeclaration] = []
        while let first = rest.first, rules.count < Self.rulesMax {
            if first.isSpace || first.token(.semicolon) != nil {
                rest = rest.dropFirst()
                continue
            }
            let end = Self.end(of: rest, inRule: parents != nil)
            var statement = rest[..<end]
            rest = rest[end...]
            if statement.last?.token(.semicolon) != nil { statement = statement.dropLast() }
            if let keyword = first.token(.atKeyword)?.value.lowercased() {
                addAtRule(keyword, statement.dropFirst(), parents: parents, layer: layer)
            } else if case .block("{", let content)? = statement.last {
                addRule(statement.dropLast(), content, parents: parents, layer: layer)
            } else if parents != nil, let declaration = CSSDeclaration(statement) {
                declarations.append(declaration)
            }
        }
        guard let parents, !declarations.isEmpty else { return }
        // Declarations after nested rules count as if before them, which is rarely noticeable.
        for selector in parents {
            rules.append(CSSRule(selector: selector, declarations: declarations, layer: layer))
        }
    }

    /// The offset after the block or the semicolon that ends a statement.
    private static func end(of components: ArraySlice<CSSComponent>, inRule: Bool) -> Int {
        let isAtRule = components.first?.token(.atKeyword) != nil
        let end = components.firstIndex {
            if case .block("{", _) = $0 { return true }
            return $0.token(.semicolon) != nil && (inRule || isAtRule)
        }
        return end.map { $0 + 1 } ?? components.endIndex
    }

    private mutating func addRule(
        _ prelude: ArraySlice<CSSComponent>, _ content: [CSSComponent], parents: [CSSSelector]?,
        layer: String?
    ) {
        guard let selectors = CSSSelector.list(Array(prelude), parents: parents) else { return }
        if selectors.contains(where: \.isForeign) { isForeign = true }
        let count = rules.count
        addRules(content[...], parents: selectors, layer: layer)
        if content.contains(where: { $0.isBlock }) { moveOwnFirst(from: count, selectors.count) }
    }

    /// Moves the last added declarations' rules before those of nested rules.
    private mutating func moveOwnFirst(from start: Int, _ selectors: Int) {
        guard rules.count - start > selectors else { return }
        let own = rules.suffix(selectors)
        rules.removeLast(selectors)
        rules.insert(contentsOf: own, at: start)
    }

    private mutating func addAtRule(
        _ keyword: String, _ rest: ArraySlice<CSSComponent>, parents: [CSSSelector]?, layer: String?
    ) {
        var content: [CSSComponent]?
        if case .block("{", let inner)? = rest.last { content = inner }
        let prelude = Array(content == nil ? rest : rest.dropLast()).trimmed
        switch keyword {
        case "media", "supports":
            isForeign = true
            let isTrue =
                keyword == "media" ? CSSMedia.isFulfilled(prelude) : CSSMedia.isSupported(prelude)
            guard let content, isTrue else { return }
            addRules(content[...], parents: parents, layer: layer)
        case "container", "scope", "starting-style": isForeign = true
        case "layer":
            isForeign = true
            addLayers(prelude, content, parents: parents, layer: layer)
        case "property":
            guard let name = prelude.first?.token(.ident)?.value, let content else { return }
            variables[name] =
                CSSDeclaration.list(content.text)
                .last { $0.name == "initial-value" }?.value
        default: break
        }
    }

    private mutating func addLayers(
        _ prelude: [CSSComponent], _ content: [CSSComponent]?, parents: [CSSSelector]?,
        layer: String?
    ) {
        var names = prelude.byComma.map { $0.text }.filter { !$0.isEmpty }
        if names.isEmpty {
            unnamedLayers += 1
            names = ["\(unnamedLayers)"]
        }
        let outer = layer.map { "\($0)." } ?? ""
        names = names.map { outer + $0 }
        for name in names where !layers.contains(name) { layers.append(name) }
        guard let content, let name = names.first else { return }
        addRules(content[...], parents: parents, layer: name)
    }
}

extension CSSComponent {
    fileprivate var isBlock: Bool {
        if case .block("{", _) = self { return true }
        return false
    }
}
