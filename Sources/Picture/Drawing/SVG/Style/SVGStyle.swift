/// The context of an element while its style is resolved.
struct SVGStyle {
    /// Custom properties known here.
    var variables: [String: [CSSComponent]] = [:]
    /// In pixels.
    var fontSize = 16.0
    var rootFontSize = 16.0
    /// The size of the nearest nested picture, in its units.
    var viewport = SIMD2<Double>(512, 512)

    /// The length in pixels of a value, for the property `name`.
    func pixels(_ value: [CSSComponent], for name: String) -> Double? {
        let whole: Double? =
            switch SVGProperties.direction[name] {
            case 0: viewport.x
            case 1: viewport.y
            case 2: ((viewport * viewport).sum() / 2).squareRoot()
            default: nil
            }
        return pixels(value, of: whole)
    }

    /// The length in pixels of a value whose percentages are those of `whole`.
    func pixels(_ value: [CSSComponent], of whole: Double?) -> Double? {
        CSSLength.pixels(value, fontSize: fontSize, rootFontSize: rootFontSize, of: whole)
    }

    /// A place within `whole`, by keyword or length.
    func position(_ component: CSSComponent, in whole: Double) -> Double? {
        switch component.ident {
        case "left", "top": 0
        case "right", "bottom": whole
        case "center": whole / 2
        default: pixels([component], of: whole)
        }
    }

    // MARK: Values that librsvg does not understand

    /// A declaration in a form that librsvg reads.
    ///
    /// - Returns: `nil` if it is invalid, so that a weaker one counts.
    func adapted(_ declaration: CSSDeclaration) -> CSSDeclaration? {
        var result = declaration
        let name = declaration.name
        if name == "all" { return declaration }
        if let word = declaration.value.first?.ident, declaration.value.count == 1,
            SVGProperties.words.contains(word)
        {
            let value = word == "initial" ? SVGProperties.initial[name] : SVGProperties.unset(name)
            result.value = value.flatMap { CSSComponent.list($0) } ?? []
            return result.value.isEmpty ? nil : result
        }
        if SVGProperties.colors.contains(name) || SVGProperties.paints.contains(name) {
            guard let value = paint(declaration.value, name) else { return nil }
            result.value = value
            return result
        }
        if SVGProperties.positive.contains(name),
            let number = declaration.value.first?.token(.number, .dimension, .percentage)?.number,
            number < 0
        {
            return nil
        }
        if name == "letter-spacing", let part = declaration.value.first?.token(.percentage) {
            result.value = [.number(part.number / 100 * fontSize, "px")]
            return result
        }
        if name == "font-size", let word = declaration.value.first?.ident,
            let size = SVGProperties.fontSizes[word]
        {
            result.value = [.number(size, "px")]
            return result
        }
        if !SVGProperties.lengthless.contains(name) {
            result.value = declaration.value.map { adapted($0, for: name) }
        }
        return result
    }

    /// Replaces a colour by one that librsvg reads. Keywords, such as `none`, and references stay.
    private func paint(_ value: [CSSComponent], _ name: String) -> [CSSComponent]? {
        var result: [CSSComponent] = []
        for component in value {
            switch component {
            case .function(let name, _):
                guard let color = CSSColor(component) else { return nil }
                let isForeign = CSSColor.functions.contains(name) || Self.isModern(component)
                result += isForeign ? CSSComponent.list(color.text) ?? [] : [component]
            case .token(let token) where token.kind == .ident:
                let word = token.value.lowercased()
                guard isWord(word, of: name) else { return nil }
                result +=
                    CSSColorNames.system[word] != nil
                    ? CSSComponent.list(CSSColor(component)?.text ?? "") ?? [] : [component]
            default: result.append(component)
            }
        }
        return result
    }

    private func isWord(_ word: String, of name: String) -> Bool {
        let isPaint = SVGProperties.paints.contains(name)
        return ["inherit", "currentcolor", "transparent"].contains(word)
            || isPaint && ["none", "context-fill", "context-stroke"].contains(word)
            || CSSColorNames.value(of: word) != nil
    }

    /// Forms of `rgb()` and `hsl()` that librsvg does not know.
    private static func isModern(_ component: CSSComponent) -> Bool {
        guard case .function(_, let arguments) = component else { return false }
        return arguments.contains { part in
            if case .token = part { return part.ident != nil }
            return true
        }
    }

    /// Replaces units that librsvg does not know, and calculations.
    private func adapted(_ component: CSSComponent, for name: String) -> CSSComponent {
        switch component {
        case .token:
            guard Self.isForeign(component), let pixels = pixels([component], for: name)
            else { return component }
            return .number(pixels, "px")
        case .function(let function, let arguments):
            if CSSLength.functions.contains(function), let pixels = pixels([component], for: name) {
                let hasUnit = arguments.contains { $0.hasUnit }
                return .number(pixels, hasUnit ? "px" : "")
            }
            return .function(function, arguments.map { adapted($0, for: name) })
        case .block: return component
        }
    }

    /// Whether librsvg reads a length differently, or not at all.
    static func isForeign(_ component: CSSComponent) -> Bool {
        if case .function = component { return true }
        return component.token(.dimension).map {
            foreignUnits.contains($0.value.lowercased())
        } ?? false
    }

    /// Units of lengths that librsvg does not know, or measures differently.
    static let foreignUnits: Set<String> = [
        "rem", "ch", "q", "ex", "vw", "vh", "vmin", "vmax", "vi", "vb", "ic", "lh", "rlh",
    ]
}

extension CSSComponent {
    /// A number with a unit, or without.
    static func number(_ number: Double, _ unit: String) -> CSSComponent {
        .token(
            CSSToken(
                kind: unit.isEmpty ? .number : .dimension, text: CSSLength.text(number) + unit,
                value: unit, number: number))
    }

    fileprivate var hasUnit: Bool {
        switch self {
        case .token(let token): token.kind == .dimension || token.kind == .percentage
        case .function(_, let inner), .block(_, let inner): inner.contains { $0.hasUnit }
        }
    }
}
