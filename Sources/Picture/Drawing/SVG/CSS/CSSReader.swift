/// Builds components from tokens (CSS Syntax Level 3, section 5.4).
struct CSSReader {
    private let tokens: [CSSToken]
    private var at = 0

    /// The deepest nesting of functions and blocks.
    private static let depthMax = 32

    init(_ tokens: [CSSToken]) { self.tokens = tokens }

    /// The components up to `close`, which is consumed, or the end.
    ///
    /// - Returns: `nil` if they are nested too deeply.
    mutating func components(until close: String?, depth: Int) -> [CSSComponent]? {
        guard depth <= Self.depthMax else { return nil }
        var found: [CSSComponent] = []
        while at < tokens.count {
            let token = tokens[at]
            at += 1
            if token.kind == .close, token.text == close { return found }
            guard let component = component(token, depth: depth) else { return nil }
            found.append(component)
        }
        return found
    }

    private mutating func component(_ token: CSSToken, depth: Int) -> CSSComponent? {
        switch token.kind {
        case .function:
            guard let arguments = components(until: ")", depth: depth + 1) else { return nil }
            return .function(token.value.lowercased(), arguments)
        case .open:
            let close = CSSComponent.close(of: token.text)
            guard let content = components(until: close, depth: depth + 1) else { return nil }
            return .block(token.text, content)
        default: return .token(token)
        }
    }
}
