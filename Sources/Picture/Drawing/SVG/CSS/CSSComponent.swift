/// A token, or a function or block with its contents (CSS Syntax Level 3, section 5).
indirect enum CSSComponent: Equatable {
    case token(CSSToken)
    /// A function by its lower-case name.
    case function(String, [CSSComponent])
    /// The contents of `(`, `[` or `{`.
    case block(String, [CSSComponent])

    /// Reads components.
    ///
    /// - Returns: `nil` if they are nested too deeply, or are not allowed in values.
    static func list(_ text: String) -> [CSSComponent]? {
        var reader = CSSReader(CSSTokenizer.tokens(of: text))
        return reader.components(until: nil, depth: 0)
    }

    /// The text as written.
    var text: String {
        switch self {
        case .token(let token): token.kind == .whitespace ? " " : token.text
        case .function(let name, let arguments): "\(name)(\(arguments.text))"
        case .block(let open, let content): "\(open)\(content.text)\(Self.close(of: open))"
        }
    }

    static func close(of open: String) -> String { open == "(" ? ")" : open == "[" ? "]" : "}" }

    /// The token, if it is of one of these kinds.
    func token(_ kinds: CSSToken.Kind...) -> CSSToken? {
        guard case .token(let token) = self, kinds.contains(token.kind) else { return nil }
        return token
    }

    /// The identifier in lower case, if it is one.
    var ident: String? { token(.ident)?.value.lowercased() }

    /// The name in `url(#name)`.
    var reference: String? {
        guard let address = token(.url)?.value, address.hasPrefix("#") else { return nil }
        return String(address.dropFirst())
    }

    var isSpace: Bool { token(.whitespace) != nil }

    /// Whether it, or its contents, has one of these units.
    func contains(unit units: Set<String>) -> Bool {
        switch self {
        case .token(let token): token.kind == .dimension && units.contains(token.value.lowercased())
        case .function(_, let inner), .block(_, let inner):
            inner.contains { $0.contains(unit: units) }
        }
    }

    /// Whether it, or its contents, has a function that `isSought`.
    func contains(function isSought: (String) -> Bool) -> Bool {
        switch self {
        case .token: false
        case .function(let name, let arguments):
            isSought(name) || arguments.contains { $0.contains(function: isSought) }
        case .block(_, let content): content.contains { $0.contains(function: isSought) }
        }
    }
}

extension [CSSComponent] {
    /// The text as written, with single spaces.
    var text: String { reduce(into: "") { $0 += $1.text } }

    /// Without white space at the ends.
    var trimmed: [CSSComponent] {
        let rest = drop { $0.isSpace }
        return Array(rest.prefix(upTo: (rest.lastIndex { !$0.isSpace } ?? rest.startIndex - 1) + 1))
    }

    /// Without any white space.
    var solid: [CSSComponent] { filter { !$0.isSpace } }

    /// The parts between commas, trimmed.
    var byComma: [[CSSComponent]] {
        split(omittingEmptySubsequences: false) { $0.token(.comma) != nil }
            .map { Array($0).trimmed }
    }

    /// Whether some function in it `isSought`.
    func contains(function isSought: (String) -> Bool) -> Bool {
        contains { $0.contains(function: isSought) }
    }
}
