/// Conditions on the display of a picture: on a screen, in a light scheme, as large as a sticker (Media Queries 4).
enum CSSMedia {
    /// The side of a sticker.
    private static let side = 512.0

    /// Whether one query of a list is true.
    static func isFulfilled(_ queries: [CSSComponent]) -> Bool {
        queries.isEmpty || queries.byComma.contains { isFulfilled(query: $0) }
    }

    private static func isFulfilled(query: [CSSComponent]) -> Bool {
        var parts = query.solid[...]
        let isNegated = parts.first?.ident == "not"
        if isNegated || parts.first?.ident == "only" { parts = parts.dropFirst() }
        var isTrue = true
        for part in parts {
            switch part {
            case .block("(", let feature): isTrue = isTrue && isFulfilled(feature: feature)
            default:
                if let word = part.ident, word != "and" {
                    isTrue = isTrue && (word == "all" || word == "screen")
                }
            }
        }
        return isTrue != isNegated
    }

    private static func isFulfilled(feature: [CSSComponent]) -> Bool {
        if feature.contains(where: { if case .block = $0 { true } else { false } }) {
            return isFulfilled(query: feature)
        }
        let parts = feature.byColon
        guard let name = parts.first?.text.lowercased() else { return false }
        guard parts.count == 2 else { return ["color", "width", "height"].contains(name) }
        let pixels = CSSLength.pixels(parts[1], fontSize: 16, rootFontSize: 16)
        switch name {
        case "min-width", "min-height": return pixels.map { $0 <= side } ?? false
        case "max-width", "max-height": return pixels.map { $0 >= side } ?? false
        case "orientation": return parts[1].text == "portrait"
        default: return fixed[name].map { parts[1].text.lowercased() == $0 } ?? false
        }
    }

    private static let fixed = [
        "prefers-color-scheme": "light", "prefers-reduced-motion": "no-preference",
        "prefers-contrast": "no-preference", "forced-colors": "none", "color-gamut": "srgb",
        "scripting": "none", "hover": "hover", "pointer": "fine", "update": "fast",
    ]

    /// Whether a condition of `@supports` is true: we claim to support everything.
    static func isSupported(_ condition: [CSSComponent]) -> Bool {
        condition.first { !$0.isSpace }?.ident != "not"
    }
}

extension [CSSComponent] {
    /// The parts before and after the first colon, trimmed.
    fileprivate var byColon: [[CSSComponent]] {
        split(maxSplits: 1) { $0.token(.colon) != nil }.map { Array($0).trimmed }
    }
}
