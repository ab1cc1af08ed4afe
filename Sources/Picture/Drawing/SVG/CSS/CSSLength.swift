import Glibc

/// Lengths, numbers, angles, and calculations with them (CSS Values Level 4).
enum CSSLength {
    /// Pixels per absolute unit.
    static let units: [String: Double] = [
        "px": 1, "in": 96, "cm": 96 / 2.54, "mm": 96 / 25.4, "q": 96 / 101.6, "pt": 96.0 / 72,
        "pc": 16,
    ]
    /// Degrees per unit of angles.
    static let angles: [String: Double] = ["deg": 1, "grad": 0.9, "rad": 180 / .pi, "turn": 360]
    /// The functions that are calculated.
    static let functions: Set<String> = [
        "calc", "min", "max", "clamp", "abs", "round", "sin", "cos", "tan", "sqrt", "pow", "sign",
    ]

    /// The length in pixels of a value of one component; numbers count as pixels. `nil` for a percentage without
    /// `whole`.
    static func pixels(
        _ value: [CSSComponent], fontSize: Double, rootFontSize: Double, of whole: Double? = nil
    ) -> Double? {
        guard value.count == 1 else { return nil }
        return Calculation(fontSize: fontSize, rootFontSize: rootFontSize, whole: whole)
            .value(value[0])
    }

    /// A number, or a percentage as a fraction.
    static func number(_ component: CSSComponent) -> Double? {
        Calculation(fontSize: 16, rootFontSize: 16, whole: 1).value(component)
    }

    /// An angle in degrees; numbers count as degrees.
    static func degrees(_ component: CSSComponent) -> Double? {
        Calculation(fontSize: 16, rootFontSize: 16, whole: nil, units: angles).value(component)
    }

    /// A number as written in a drawing.
    static func text(_ number: Double) -> String {
        let rounded = (number * 1e6).rounded() / 1e6
        guard rounded.isFinite, abs(rounded) < 1e15 else { return "0" }
        return rounded == rounded.rounded() ? "\(Int(rounded))" : plain(rounded)
    }

    /// Without an exponent, which `Double` writes for small numbers.
    private static func plain(_ number: Double) -> String {
        let whole = Int(abs(number)), rest = Int(((abs(number) - Double(whole)) * 1e6).rounded())
        let digits = String(1_000_000 + rest).dropFirst()
        return "\(number < 0 ? "-" : "")\(whole).\(digits)"
    }
}

/// The sums of a value.
private struct Calculation {
    let fontSize: Double
    let rootFontSize: Double
    let whole: Double?
    var units = CSSLength.units
    /// The side of a page, that of a sticker.
    private let viewSide = 512.0

    /// Finite, or `nil`.
    func value(_ component: CSSComponent) -> Double? {
        let number: Double? =
            switch component {
            case .token(let token): value(token)
            case .function(let name, let arguments): value(name, arguments)
            case .block("(", let content): sum(content)
            case .block: nil
            }
        return number.flatMap { $0.isFinite ? $0 : nil }
    }

    private func value(_ token: CSSToken) -> Double? {
        switch token.kind {
        case .number: return token.number
        case .percentage: return whole.map { token.number / 100 * $0 }
        case .dimension:
            switch token.value.lowercased() {
            case "em": return token.number * fontSize
            case "rem": return token.number * rootFontSize
            // The width of a digit and the height of a small letter of Inter.
            case "ex": return token.number * fontSize * 0.546
            case "ch": return token.number * fontSize * 0.62
            case "ic": return token.number * fontSize
            // The height of a line of Inter.
            case "lh": return token.number * fontSize * 1.21
            case "rlh": return token.number * rootFontSize * 1.21
            case "vw", "vh", "vmin", "vmax", "vi", "vb": return token.number / 100 * viewSide
            case let unit: return units[unit].map { $0 * token.number }
            }
        case .ident:
            switch token.value.lowercased() {
            case "pi": return .pi
            case "e": return M_E
            default: return nil
            }
        default: return nil
        }
    }

    private func value(_ name: String, _ arguments: [CSSComponent]) -> Double? {
        let parts = arguments.byComma.map { sum($0) }
        let numbers = parts.compactMap { $0 }
        guard numbers.count == parts.count, let first = numbers.first else { return nil }
        switch (name, numbers.count) {
        case ("calc", 1): return first
        case ("min", _): return numbers.min()
        case ("max", _): return numbers.max()
        case ("clamp", 3): return max(first, min(numbers[1], numbers[2]))
        case ("abs", 1): return abs(first)
        case ("sign", 1): return first == 0 ? 0 : first < 0 ? -1 : 1
        case ("sqrt", 1): return first.squareRoot()
        case ("pow", 2): return pow(first, numbers[1])
        case ("sin", 1): return sin(first)
        case ("cos", 1): return cos(first)
        case ("tan", 1): return tan(first)
        case ("round", 1): return first.rounded()
        case ("round", 2): return (first / numbers[1]).rounded() * numbers[1]
        default: return nil
        }
    }

    /// Terms between `+` and `-`, which need spaces around them.
    private func sum(_ components: [CSSComponent]) -> Double? {
        var (result, sign, term): (Double, Double, [CSSComponent]) = (0, 1, [])
        for component in components {
            let delimiter = component.token(.delimiter)?.text
            guard delimiter == "+" || delimiter == "-" else {
                term.append(component)
                continue
            }
            guard let value = product(term) else { return nil }
            result += sign * value
            (sign, term) = (delimiter == "+" ? 1 : -1, [])
        }
        guard let value = product(term) else { return nil }
        return result + sign * value
    }

    private func product(_ components: [CSSComponent]) -> Double? {
        var (result, divides, wantsValue) = (1.0, false, true)
        for component in components where !component.isSpace {
            let delimiter = component.token(.delimiter)?.text
            if delimiter == "*" || delimiter == "/" {
                guard !wantsValue else { return nil }
                (divides, wantsValue) = (delimiter == "/", true)
                continue
            }
            guard wantsValue, let value = value(component) else { return nil }
            result = divides ? result / value : result * value
            wantsValue = false
        }
        return wantsValue || !result.isFinite ? nil : result
    }
}
