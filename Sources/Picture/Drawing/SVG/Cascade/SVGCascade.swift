/// Applies style sheets and attributes to each element of a drawing (CSS Cascading Level 5), in a form that librsvg
/// reads.
///
/// Afterwards, `declared` of an element has its declarations, the weakest first: librsvg uses the last one that it
/// understands, and inherits by itself.
struct SVGCascade {
    private var sheet = CSSSheet()
    private let matcher = CSSMatcher(stepsMax: stepsMax)
    private var rulesByID: [String: [Int]] = [:]
    private var rulesByClass: [String: [Int]] = [:]
    private var rulesByType: [String: [Int]] = [:]
    private var otherRules: [Int] = []
    private var layerRanks: [String: Int] = [:]
    /// Whether librsvg would read the style of some element differently.
    private(set) var isForeign = false
    /// Whether attributes of some element were moved to its declarations.
    private(set) var hasTaken = false

    /// Whether everything was compared; else nothing should be rewritten.
    var isComplete: Bool { matcher.stepsLeft > 0 }

    /// The most comparisons of selectors with elements, with the cost of declarations.
    static let stepsMax = 20_000_000

    /// Reads the style sheets of a drawing, and resolves the style of each element.
    init(_ root: SVGElement) {
        readSheets(root)
        sortRules()
        if sheet.isForeign { isForeign = true }
        for element in root.all { element.matched = declarations(of: element) }
        guard isComplete else { return }
        resolve(root, SVGStyle(variables: sheet.variables))
    }

    // MARK: Rules

    private mutating func readSheets(_ root: SVGElement) {
        for element in root.all where element.name == "style" && element.isSVG {
            let type = element["type"]?.lowercased() ?? "text/css"
            let media = element["media"].flatMap { CSSComponent.list($0) } ?? []
            guard type == "text/css" || type.isEmpty, CSSMedia.isFulfilled(media) else {
                isForeign = true
                continue
            }
            sheet.add(element.text)
        }
    }

    private mutating func sortRules() {
        for (index, rule) in sheet.rules.enumerated() {
            switch rule.selector.key {
            case .id(let id): rulesByID[id, default: []].append(index)
            case .ofClass(let name): rulesByClass[name, default: []].append(index)
            case .type(let name): rulesByType[name, default: []].append(index)
            default: otherRules.append(index)
            }
        }
        layerRanks = Dictionary(
            sheet.layers.enumerated().map { ($0.element, $0.offset) },
            uniquingKeysWith: { a, _ in a })
    }

    /// The declarations for an element, the weakest first.
    private func declarations(of element: SVGElement) -> [CSSDeclaration] {
        var rules = (rulesByType[element.name] ?? []) + otherRules
        if let id = element["id"] { rules += rulesByID[id] ?? [] }
        if let classes = element["class"], !rulesByClass.isEmpty {
            for name in Set(classes.split(whereSeparator: \.isWhitespace)) {
                rules += rulesByClass[String(name)] ?? []
            }
        }
        guard isComplete else { return [] }
        rules = rules.filter { matcher.matches(element, sheet.rules[$0].selector) }
        let own = element["style"].map { CSSDeclaration.list($0) } ?? []
        var found: [CSSDeclaration] = []
        for name in SVGProperties.foreignAttributes(of: element) {
            guard let value = CSSComponent.list(element[name] ?? "") else { continue }
            found.append(CSSDeclaration(name: name, value: value.trimmed))
        }
        for isImportant in [false, true] {
            let sorted = rules.sorted { strength($0, isImportant) < strength($1, isImportant) }
            found += sorted.flatMap { sheet.rules[$0].declarations }
                .filter { $0.isImportant == isImportant }
            found += own.filter { $0.isImportant == isImportant }
        }
        // They take memory as well.
        matcher.spend(8 * found.count)
        return found
    }

    /// By layer, selector and place, later ones stronger; the order of layers is reversed among important ones.
    private func strength(_ index: Int, _ isImportant: Bool) -> (Int, Int, Int) {
        let rule = sheet.rules[index]
        let rank = rule.layer.flatMap { layerRanks[$0] } ?? Int.max / 2
        return (isImportant ? -rank : rank, rule.selector.specificity, index)
    }

    // MARK: Values

    /// Resolves an element and its contents, as if inside one with the style `outer`.
    mutating func resolve(_ element: SVGElement, _ outer: SVGStyle) {
        var style = outer
        let custom = element.matched.filter(\.isCustom)
        if !custom.isEmpty {
            var variables = CSSVariables(values: outer.variables)
            variables.declare(custom.map { ($0.name, $0.value) })
            style.variables = variables.values
            isForeign = true
        }
        element.declared = element.matched.filter { !$0.isCustom }.compactMap { declaration in
            let (adapted, isSame) = Self.adapted(declaration, style)
            if !isSame { isForeign = true }
            return adapted
        }
        for name in SVGProperties.foreignAttributes(of: element) {
            element[name] = nil
            hasTaken = true
        }
        style.fontSize = Self.fontSize(of: element, style)
        if element.parent == nil { style.rootFontSize = style.fontSize }
        if ["svg", "symbol"].contains(element.name), let size = Self.viewport(of: element, style) {
            style.viewport = size
        }
        element.style = style
        for child in element.elements { resolve(child, style) }
    }

    /// A declaration as librsvg reads it, and whether it is unchanged.
    private static func adapted(
        _ declaration: CSSDeclaration, _ style: SVGStyle
    ) -> (CSSDeclaration?, isSame: Bool) {
        var resolved = declaration
        let needsVariables = declaration.value.contains(function: CSSVariables.isReference)
        if needsVariables {
            let value = CSSVariables(values: style.variables).resolved(declaration.value)
            resolved.value =
                value?.trimmed ?? CSSComponent.list(SVGProperties.unset(declaration.name)) ?? []
            if resolved.value.isEmpty { return (nil, false) }
            // A value that turns out invalid only now counts as unset.
            if style.adapted(resolved) == nil {
                resolved.value = CSSComponent.list(SVGProperties.unset(declaration.name)) ?? []
            }
        }
        guard let adapted = style.adapted(resolved) else { return (nil, false) }
        let isSame =
            !needsVariables && !declaration.hasCapitals && adapted.value == declaration.value
        return (adapted, isSame)
    }

    private static func fontSize(of element: SVGElement, _ outer: SVGStyle) -> Double {
        let attribute = element["font-size"].flatMap { CSSComponent.list($0) }
        guard
            let value = element.declared.last(where: { $0.name == "font-size" })?.value ?? attribute
        else { return outer.fontSize }
        if let word = value.first?.ident {
            return SVGProperties.fontSizes[word]
                ?? (word == "larger" ? 1.2 : word == "smaller" ? 1 / 1.2 : 1) * outer.fontSize
        }
        return CSSLength.pixels(
            value.trimmed, fontSize: outer.fontSize, rootFontSize: outer.rootFontSize,
            of: outer.fontSize) ?? outer.fontSize
    }

    private static func viewport(of element: SVGElement, _ style: SVGStyle) -> SIMD2<Double>? {
        if let box = element.viewBox { return SIMD2(box.width, box.height) }
        func side(_ name: String) -> Double? {
            element[name].flatMap { CSSComponent.list($0) }.flatMap { style.pixels($0, for: name) }
        }
        guard let width = side("width"), let height = side("height") else { return nil }
        return SIMD2(width, height)
    }
}

extension CSSSelector {
    /// The condition that indexes its rules.
    fileprivate var key: Condition {
        let conditions = parts.first?.conditions ?? []
        for condition in conditions { if case .id = condition { return condition } }
        for condition in conditions { if case .ofClass = condition { return condition } }
        for condition in conditions { if case .type = condition { return condition } }
        return .never
    }
}

extension SVGProperties {
    /// Attributes with values that librsvg may not understand.
    static func foreignAttributes(of element: SVGElement) -> [String] {
        element.attributes.filter {
            $0.prefix.isEmpty && presentation.contains($0.name) && isForeign($0.value, $0.name)
                && (!geometry.contains($0.name) || shaped.contains(element.name))
        }.map(\.name)
    }

    private static func isForeign(_ value: String, _ name: String) -> Bool {
        if value.utf8.contains(UInt8(ascii: "(")) {
            return !value.hasPrefix("url(#") || value.dropFirst(5).contains("(")
        }
        if name == "font-size" || colors.contains(name) || paints.contains(name) {
            let word = value.lowercased()
            if fontSizes[word] != nil || CSSColorNames.system[word] != nil { return true }
        }
        if name == "letter-spacing", value.hasSuffix("%") { return true }
        if value.hasPrefix("-"), positive.contains(name) { return true }
        let unit = value.reversed().prefix { $0.isLetter }.reversed()
        return words.contains(value) || SVGStyle.foreignUnits.contains(String(unit).lowercased())
    }
}
