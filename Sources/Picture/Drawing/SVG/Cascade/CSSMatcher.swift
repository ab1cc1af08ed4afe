/// Finds out whether elements match selectors, within a number of steps.
final class CSSMatcher {
    /// Remaining comparisons; selectors such as `* * *` need many.
    private(set) var stepsLeft: Int
    private var siblings: [ObjectIdentifier: [SVGElement]] = [:]

    init(stepsMax: Int) { stepsLeft = stepsMax }

    /// Uses steps for other work of a selector.
    func spend(_ steps: Int) { stepsLeft -= steps }

    /// Whether `element` matches `selector`; also `false` once no step is left.
    func matches(_ element: SVGElement, _ selector: CSSSelector) -> Bool {
        matches(element, selector.parts[...])
    }

    private func matches(_ element: SVGElement, _ parts: ArraySlice<CSSSelector.Part>) -> Bool {
        stepsLeft -= 1
        guard stepsLeft > 0, let part = parts.first,
            part.conditions.allSatisfy({ fulfils(element, $0) })
        else { return false }
        guard let combinator = part.combinator else { return true }
        let rest = parts.dropFirst()
        switch combinator {
        case .child: return element.parent.map { matches($0, rest) } ?? false
        case .descendant:
            return element.lineage.dropFirst().contains { matches($0, rest) }
        case .next: return earlier(element).last.map { matches($0, rest) } ?? false
        case .later: return earlier(element).contains { matches($0, rest) }
        }
    }

    private func fulfils(_ element: SVGElement, _ condition: CSSSelector.Condition) -> Bool {
        switch condition {
        case .type(let name): element.name == name
        case .id(let id): element["id"] == id
        case .ofClass(let name): Self.words(element["class"]).contains { $0 == name }
        case .attribute(let name, let sign, let value, let ignoresCase):
            fulfils(element[name], sign, value, ignoresCase: ignoresCase)
        case .root: element.parent == nil
        case .empty: element.children.isEmpty
        case .link: element.name == "a" && element.href != nil
        case .nth(let step, let offset, let ofType, let fromEnd):
            Self.isAt(place(of: element, ofType: ofType, fromEnd: fromEnd), step, offset)
        case .only(let ofType):
            place(of: element, ofType: ofType, fromEnd: false) == 1
                && place(of: element, ofType: ofType, fromEnd: true) == 1
        case .any(let list): list.contains { matches(element, $0) }
        case .none(let list): !list.contains { matches(element, $0) }
        case .has(let list): list.contains { has(element, $0.0, $0.1) }
        case .never: false
        }
    }

    private func fulfils(
        _ found: String?, _ sign: String, _ value: String, ignoresCase: Bool
    ) -> Bool {
        guard var found else { return false }
        var value = value
        if ignoresCase { (found, value) = (found.lowercased(), value.lowercased()) }
        switch sign {
        case "": return true
        case "=": return found == value
        case "~=": return Self.words(found).contains { $0 == value }
        case "|=": return found == value || found.hasPrefix(value + "-")
        case "^=": return !value.isEmpty && found.hasPrefix(value)
        case "$=": return !value.isEmpty && found.hasSuffix(value)
        default: return !value.isEmpty && found.contains(value)
        }
    }

    private func has(
        _ element: SVGElement, _ combinator: CSSSelector.Combinator, _ selector: CSSSelector
    ) -> Bool {
        switch combinator {
        case .child: return element.elements.contains { matches($0, selector) }
        case .descendant:
            return element.elements.contains {
                matches($0, selector) || stepsLeft > 0 && has($0, .descendant, selector)
            }
        case .next, .later:
            guard let parent = element.parent else { return false }
            let after = siblings(in: parent).drop { $0 !== element }.dropFirst()
            return (combinator == .next ? after.prefix(1) : after).contains {
                matches($0, selector)
            }
        }
    }

    // MARK: Places

    private func siblings(in parent: SVGElement) -> [SVGElement] {
        if let known = siblings[ObjectIdentifier(parent)] { return known }
        let found = parent.elements
        siblings[ObjectIdentifier(parent)] = found
        return found
    }

    private func earlier(_ element: SVGElement) -> ArraySlice<SVGElement> {
        guard let parent = element.parent else { return [] }
        let all = siblings(in: parent)
        stepsLeft -= all.count / 8
        return all.prefix { $0 !== element }
    }

    private func place(of element: SVGElement, ofType: Bool, fromEnd: Bool) -> Int {
        guard let parent = element.parent else { return 1 }
        var all = siblings(in: parent)
        stepsLeft -= all.count / 8
        if ofType { all = all.filter { $0.name == element.name } }
        guard let index = all.firstIndex(where: { $0 === element }) else { return 0 }
        return fromEnd ? all.count - index : index + 1
    }

    private static func isAt(_ place: Int, _ step: Int, _ offset: Int) -> Bool {
        let distance = place - offset
        return step == 0 ? distance == 0 : distance % step == 0 && distance / step >= 0
    }

    private static func words(_ text: String?) -> [Substring] {
        (text ?? "").split(whereSeparator: \.isWhitespace)
    }
}
