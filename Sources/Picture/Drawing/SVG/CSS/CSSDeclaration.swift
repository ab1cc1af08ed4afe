/// A property with its value.
struct CSSDeclaration {
    /// In lower case, except custom properties.
    var name: String
    var value: [CSSComponent]
    var isImportant = false

    /// Whether the name is written with capitals, which librsvg does not recognise.
    private(set) var hasCapitals = false

    var isCustom: Bool { name.hasPrefix("--") }
}

extension CSSDeclaration {
    /// Reads the part between semicolons; `nil` if it is no declaration.
    init?(_ components: some Collection<CSSComponent>) {
        let parts = Array(components).trimmed
        guard let token = parts.first?.token(.ident) else { return nil }
        let rest = parts.dropFirst().drop { $0.isSpace }
        guard rest.first?.token(.colon) != nil else { return nil }
        name = token.value.hasPrefix("--") ? token.value : token.value.lowercased()
        hasCapitals = name != token.value
        value = Array(rest.dropFirst()).trimmed
        if value.last?.ident == "important" {
            let before = value.dropLast().reversed().drop { $0.isSpace }
            if before.first?.token(.delimiter)?.text == "!" {
                value = Array(before.dropFirst().reversed()).trimmed
                isImportant = true
            }
        }
        if value.isEmpty, !isCustom { return nil }
    }

    /// The declarations of an attribute `style`.
    static func list(_ text: String) -> [CSSDeclaration] {
        (CSSComponent.list(text) ?? []).split { $0.token(.semicolon) != nil }
            .compactMap { CSSDeclaration($0) }
    }
}
