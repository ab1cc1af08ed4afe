/// A selector (Selectors Level 4, without namespaces and page-only features).
struct CSSSelector {
    /// The relation of an element to that of the previous part.
    enum Combinator { case descendant, child, next, later }

    /// One condition on an element.
    indirect enum Condition {
        case type(String), id(String), ofClass(String)
        case attribute(String, String, String, ignoresCase: Bool)
        case root, empty, link
        /// The element at a place of `step` x n + `offset` among its siblings, from 1.
        case nth(step: Int, offset: Int, ofType: Bool, fromEnd: Bool)
        case only(ofType: Bool)
        case any([CSSSelector])
        case none([CSSSelector])
        case has([(Combinator, CSSSelector)])
        /// A state that no still picture has, such as hovered.
        case never
    }

    /// The conditions on one element, and its relation to the next, which precedes it in the file.
    struct Part {
        var conditions: [Condition] = []
        var combinator: Combinator?
    }

    /// The first part describes the element itself.
    private(set) var parts: [Part] = []
    /// The number of identifiers, classes and types, combined in one number.
    private(set) var specificity = 0
    /// Whether librsvg does not know it.
    private(set) var isForeign = false

    private static let partsMax = 64

    /// Reads a list of selectors.
    ///
    /// - Parameters:
    ///   - components: the components before a block.
    ///   - parents: the selectors of the rule around it.
    ///   - isForgiving: whether faulty ones are left out.
    /// - Returns: `nil` if one is faulty.
    static func list(
        _ components: [CSSComponent], parents: [CSSSelector]? = nil, isForgiving: Bool = false
    ) -> [CSSSelector]? {
        var found: [CSSSelector] = []
        for part in components.byComma {
            if let selector = CSSSelector(part, parents: parents) {
                found.append(selector)
            } else if !isForgiving {
                return nil
            }
        }
        return found
    }

    private init?(_ components: [CSSComponent], parents: [CSSSelector]?) {
        var reader = SelectorReader(components, parents: parents)
        guard let parts = reader.parts(), parts.count <= Self.partsMax else { return nil }
        self.parts = parts.reversed()
        isForeign = reader.isForeign
        specificity =
            min(reader.ids, 511) << 20 | min(reader.classes, 511) << 10 | min(reader.types, 511)
    }

    /// A selector with the relation of its first part to an element, as in `:has()`.
    fileprivate static func relative(_ components: [CSSComponent]) -> (Combinator, CSSSelector)? {
        var rest = components[...]
        var combinator = Combinator.descendant
        if let sign = rest.first?.token(.delimiter)?.text, let named = Self.combinator(sign) {
            combinator = named
            rest = rest.dropFirst()
        }
        guard let selector = CSSSelector(Array(rest).trimmed, parents: nil) else { return nil }
        return (combinator, selector)
    }

    fileprivate static func combinator(_ sign: String) -> Combinator? {
        switch sign {
        case ">": .child
        case "+": .next
        case "~": .later
        default: nil
        }
    }
}

/// Reads one selector from left to right.
private struct SelectorReader {
    private let components: [CSSComponent]
    private let parents: [CSSSelector]?
    private var at = 0
    private(set) var (ids, classes, types) = (0, 0, 0)
    private(set) var isForeign = false

    init(_ components: [CSSComponent], parents: [CSSSelector]?) {
        (self.components, self.parents) = (components, parents)
    }

    private var current: CSSComponent? { at < components.count ? components[at] : nil }

    /// The parts in written order; each has its combinator in the next one.
    mutating func parts() -> [CSSSelector.Part]? {
        var found: [CSSSelector.Part] = []
        if let parents {
            isForeign = true
            // `> a` in a rule, and `a` without the rule's own elements.
            let sign = current?.token(.delimiter).flatMap { CSSSelector.combinator($0.text) }
            if sign != nil || !components.contains(where: { $0.token(.delimiter)?.text == "&" }) {
                found.append(CSSSelector.Part(conditions: [parent(parents)]))
                if sign != nil { at += 1 }
                while current?.isSpace == true { at += 1 }
                guard var part = part() else { return nil }
                part.combinator = sign ?? .descendant
                found.append(part)
            }
        }
        if found.isEmpty {
            guard let first = part() else { return nil }
            found.append(first)
        }
        while current != nil {
            guard let combinator = combinator(), var part = part() else { return nil }
            part.combinator = combinator
            found.append(part)
        }
        return found
    }

    private mutating func parent(_ parents: [CSSSelector]) -> CSSSelector.Condition {
        addStrongest(of: parents)
        return .any(parents)
    }

    private mutating func addStrongest(of selectors: [CSSSelector]) {
        let most = selectors.map(\.specificity).max() ?? 0
        ids += most >> 20
        classes += most >> 10 & 511
        types += most & 511
    }

    private mutating func combinator() -> CSSSelector.Combinator? {
        let isSpaced = current?.isSpace == true
        while current?.isSpace == true { at += 1 }
        guard let sign = current?.token(.delimiter).flatMap({ CSSSelector.combinator($0.text) })
        else { return isSpaced && current != nil ? .descendant : nil }
        at += 1
        while current?.isSpace == true { at += 1 }
        return sign
    }

    private mutating func part() -> CSSSelector.Part? {
        var part = CSSSelector.Part()
        let start = at
        while let component = current, !component.isSpace {
            if let sign = component.token(.delimiter)?.text, CSSSelector.combinator(sign) != nil {
                break
            }
            at += 1
            guard let condition = condition(component) else { return nil }
            part.conditions += condition
        }
        return at > start ? part : nil
    }

    /// The conditions that begin with `component`.
    private mutating func condition(_ component: CSSComponent) -> [CSSSelector.Condition]? {
        switch component {
        case .token(let token):
            switch token.kind {
            case .ident:
                types += 1
                return [.type(token.value)]
            case .hash:
                ids += 1
                return [.id(token.value)]
            case .delimiter where token.text == "*": return []
            case .delimiter where token.text == "&":
                guard let parents else { return nil }
                return [parent(parents)]
            case .delimiter where token.text == ".":
                guard let name = current?.token(.ident)?.value else { return nil }
                at += 1
                classes += 1
                return [.ofClass(name)]
            case .colon: return pseudo().map { [$0] }
            default: return nil
            }
        case .block("[", let content):
            classes += 1
            return attribute(content.solid).map { [$0] }
        default: return nil
        }
    }

    private func attribute(_ parts: [CSSComponent]) -> CSSSelector.Condition? {
        guard let name = parts.first?.token(.ident)?.value else { return nil }
        guard parts.count > 1 else { return .attribute(name, "", "", ignoresCase: false) }
        var rest = parts.dropFirst()
        var sign = ""
        while let delimiter = rest.first?.token(.delimiter)?.text {
            sign += delimiter
            rest = rest.dropFirst()
        }
        guard ["=", "~=", "|=", "^=", "$=", "*="].contains(sign),
            let value = rest.first?.token(.ident, .string)?.value
        else { return nil }
        return .attribute(
            name, sign, value, ignoresCase: rest.dropFirst().first?.ident == "i")
    }

    private mutating func pseudo() -> CSSSelector.Condition? {
        classes += 1
        guard let component = current else { return nil }
        at += 1
        switch component {
        case .token(let token) where token.kind == .ident: return named(token.value.lowercased())
        case .token(let token) where token.kind == .colon:
            // Pseudo-elements, such as `::before`.
            at += 1
            return .never
        case .function(let name, let arguments): return function(name, arguments)
        default: return nil
        }
    }

    private static let momentary: Set<String> = [
        "hover", "active", "focus", "focus-visible", "focus-within", "target", "visited", "checked",
        "disabled", "before", "after", "first-line", "first-letter",
    ]

    private func named(_ name: String) -> CSSSelector.Condition? {
        func nth(_ step: Int, _ offset: Int, type: Bool, end: Bool) -> CSSSelector.Condition {
            .nth(step: step, offset: offset, ofType: type, fromEnd: end)
        }
        switch name {
        case "root": return .root
        case "empty": return .empty
        case "link", "any-link": return .link
        case "first-child": return nth(0, 1, type: false, end: false)
        case "last-child": return nth(0, 1, type: false, end: true)
        case "first-of-type": return nth(0, 1, type: true, end: false)
        case "last-of-type": return nth(0, 1, type: true, end: true)
        case "only-child": return .only(ofType: false)
        case "only-of-type": return .only(ofType: true)
        default: return Self.momentary.contains(name) ? .never : nil
        }
    }

    private mutating func function(
        _ name: String, _ arguments: [CSSComponent]
    ) -> CSSSelector.Condition? {
        switch name {
        case "is", "where", "matches", "-webkit-any", "not":
            guard let list = CSSSelector.list(arguments, isForgiving: name != "not") else {
                return nil
            }
            classes -= 1
            if name != "where" { addStrongest(of: list) }
            isForeign = isForeign || name != "not" || list.contains { $0.parts.count > 1 }
            return name == "not" ? .none(list) : .any(list)
        case "has":
            isForeign = true
            let list = arguments.byComma.compactMap { CSSSelector.relative($0) }
            return list.isEmpty ? nil : .has(list)
        case "nth-child", "nth-last-child", "nth-of-type", "nth-last-of-type":
            guard let (step, offset) = Self.steps(arguments) else { return nil }
            return .nth(
                step: step, offset: offset, ofType: name.hasSuffix("type"),
                fromEnd: name.hasPrefix("nth-last"))
        case "lang", "dir": return .never
        default: return nil
        }
    }

    /// `2n+1`, `odd` and the like.
    private static func steps(_ arguments: [CSSComponent]) -> (Int, Int)? {
        let text = arguments.text.lowercased().filter { !$0.isWhitespace }
        if text == "odd" { return (2, 1) }
        if text == "even" { return (2, 0) }
        guard let found = text.wholeMatch(of: /(?:([+-]?\d{0,6})n)?([+-]?\d{1,6})?/), !text.isEmpty
        else { return nil }
        let step = found.output.1.map {
            $0.isEmpty || $0 == "+" ? 1 : $0 == "-" ? -1 : Int($0) ?? 0
        }
        return (step ?? 0, found.output.2.flatMap { Int($0) } ?? 0)
    }
}
