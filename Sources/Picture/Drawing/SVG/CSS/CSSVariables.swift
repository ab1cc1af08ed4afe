/// Custom properties with what they stand for (CSS Custom Properties Level 1).
struct CSSVariables {
    /// Those that are known where a value stands.
    var values: [String: [CSSComponent]]

    /// Components that one value may become; beyond, it counts as invalid, as in browsers.
    private static let componentsMax = 4096

    /// A value without `var()` and `env()`; `nil` if it needs one that there is not.
    func resolved(_ value: [CSSComponent]) -> [CSSComponent]? {
        guard value.contains(function: Self.isReference) else { return value }
        var left = Self.componentsMax
        return resolved(value, left: &left)
    }

    /// Whether a function stands for something else.
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

    /// Sets those that an element declares, whose values may name each other; one in a circle has none.
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

    /// Resolves one, and first those that it names. While one is at work it is not known, so that circles end.
    private mutating func settle(
        _ name: String, _ raw: [String: [CSSComponent]], _ visited: inout Set<String>, depth: Int
    ) {
        guard depth < 64, visited.insert(name).inserted, let value = raw[name] else { return }
        for other in Self.references(in: value) where raw[other] != nil {
            settle(other, raw, &visited, depth: depth + 1)
        }
        values[name] = resolved(value)
    }

    /// The custom properties that a value names.
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
