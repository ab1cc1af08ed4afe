/// Custom properties with their values (CSS Custom Properties Level 1).
struct CSSVariables {
    /// The properties known at the place of a value.
    var values: [String: [CSSComponent]]

    /// The most components of one value; beyond, it counts as invalid, as in browsers.
    private static let componentsMax = 4096

    /// A value without `var()` and `env()`; `nil` if it refers to an unknown one.
    func resolved(_ value: [CSSComponent]) -> [CSSComponent]? {
        guard value.contains(function: Self.isReference) else { return value }
        var left = Self.componentsMax
        return resolved(value, left: &left)
    }

    /// Whether a function is replaced by another value.
    static func isReference(_ name: String) -> Bool { name == "var" || name == "env" }

    private func resolved(_ value: [CSSComponent], left: inout Int) -> [CSSComponent]? {
        var result: [CSSComponent] = []
        for component in value {
            left -= 1
            guard left >= 0 else { return nil }
            switch component {
            case .token: result.append(component)
            case .function(let name, let arguments) where Self.isReference(name):
                guard let found = replacement(name, arguments, left: &left) else { return nil }
                left -= found.count
                guard left >= 0 else { return nil }
                result += found
            case .function(let name, let arguments):
                guard let inner = resolved(arguments, left: &left) else { return nil }
                result.append(.function(name, inner))
            case .block(let open, let content):
                guard let inner = resolved(content, left: &left) else { return nil }
                result.append(.block(open, inner))
            }
        }
        return result
    }

    private func replacement(
        _ function: String, _ arguments: [CSSComponent], left: inout Int
    ) -> [CSSComponent]? {
        let comma = arguments.firstIndex { $0.token(.comma) != nil }
        let name = Array(arguments[..<(comma ?? arguments.endIndex)]).solid.first?.token(.ident)
        if function == "var", let name, let value = values[name.value] { return value }
        return comma.flatMap { resolved(Array(arguments[($0 + 1)...]).trimmed, left: &left) }
    }

    /// Sets the properties declared by an element, whose values may refer to each other; those in a circle have no
    /// value.
    mutating func declare(_ declarations: [(name: String, value: [CSSComponent])]) {
        var raw: [String: [CSSComponent]] = [:]
        let outer = values
        for (name, value) in declarations {
            switch value.count == 1 ? value.first?.ident : nil {
            case "initial": values[name] = nil
            case "inherit", "unset", "revert", "revert-layer": values[name] = outer[name]
            default:
                raw[name] = value
                values[name] = nil
                continue
            }
            raw[name] = nil
        }
        var visited: Set<String> = []
        for name in raw.keys.sorted() { settle(name, raw, &visited, depth: 0) }
    }

    /// Resolves one, after those that it refers to. Meanwhile it is unknown, so that circles end.
    private mutating func settle(
        _ name: String, _ raw: [String: [CSSComponent]], _ visited: inout Set<String>, depth: Int
    ) {
        guard depth < 64, visited.insert(name).inserted, let value = raw[name] else { return }
        for other in Self.references(in: value) where raw[other] != nil {
            settle(other, raw, &visited, depth: depth + 1)
        }
        values[name] = resolved(value)
    }

    /// The custom properties in a value.
    static func references(in value: [CSSComponent]) -> [String] {
        value.flatMap { component -> [String] in
            switch component {
            case .token: return []
            case .function("var", let arguments):
                let name = arguments.solid.first?.token(.ident).map { [$0.value] } ?? []
                return name + references(in: Array(arguments.dropFirst()))
            case .function(_, let inner), .block(_, let inner): return references(in: inner)
            }
        }
    }
}
