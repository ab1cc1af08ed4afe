/// A colour (CSS Color Level 4 and 5), in sRGB from 0 to 1. Other colours are clamped when they are written, as in
/// browsers.
struct CSSColor: Equatable {
    /// Red, green and blue.
    var channels: SIMD3<Double>
    var alpha = 1.0

    /// Functions that librsvg does not know; it knows `rgb()` and `hsl()` in every form but relative ones.
    static let functions: Set<String> = [
        "hwb", "lab", "lch", "oklab", "oklch", "color", "color-mix", "light-dark", "device-cmyk",
        "contrast-color",
    ]

    /// As librsvg reads it.
    var text: String {
        let levels = (channels.clamped(lowerBound: .zero, upperBound: .one) * 255)
            .rounded(.toNearestOrAwayFromZero)
        let parts = (0..<3).map { "\(Int(levels[$0]))" }.joined(separator: ", ")
        return alpha >= 1 ? "rgb(\(parts))" : "rgba(\(parts), \(CSSLength.text(max(0, alpha))))"
    }

    /// Reads a colour; `nil` for anything else, and for `currentColor`.
    init?(_ component: CSSComponent) {
        switch component {
        case .token(let token):
            switch token.kind {
            case .hash: self.init(hexadecimal: token.value)
            case .ident: self.init(named: token.value.lowercased())
            default: return nil
            }
        case .function(let name, let arguments): self.init(name, arguments)
        case .block: return nil
        }
    }

    init(_ channels: SIMD3<Double>, alpha: Double = 1) {
        (self.channels, self.alpha) = (channels, alpha)
    }

    private init?(named name: String) {
        if name == "transparent" {
            self.init(.zero, alpha: 0)
            return
        }
        guard let value = CSSColorNames.value(of: name) else { return nil }
        self.init(SIMD3(Double(value >> 16), Double(value >> 8 & 255), Double(value & 255)) / 255)
    }

    /// Reads the three, four, six or eight digits after `#`.
    init?(hexadecimal: String) {
        var digits = hexadecimal.compactMap(\.hexDigitValue)
        guard digits.count == hexadecimal.count else { return nil }
        if digits.count == 3 || digits.count == 4 { digits = digits.flatMap { [$0, $0] } }
        guard digits.count == 6 || digits.count == 8 else { return nil }
        let parts = stride(from: 0, to: digits.count, by: 2).map {
            Double(digits[$0] * 16 + digits[$0 + 1]) / 255
        }
        self.init(SIMD3(parts[0], parts[1], parts[2]), alpha: parts.count == 4 ? parts[3] : 1)
    }

    private init?(_ name: String, _ arguments: [CSSComponent]) {
        switch name {
        case "color-mix":
            guard let mixed = Self.mixed(arguments.byComma) else { return nil }
            self = mixed
        case "light-dark":
            let parts = arguments.byComma
            guard parts.count == 2, parts[0].count == 1, let light = CSSColor(parts[0][0]) else {
                return nil
            }
            self = light
        default:
            guard let color = Self.coordinates(name, arguments.solid) else { return nil }
            self = color
        }
    }

    // MARK: Functions with coordinates

    /// `rgb(...)`, `oklch(...)`, `color(display-p3 ...)` and the like, with commas or without, relative to another or not.
    private static func coordinates(_ name: String, _ arguments: [CSSComponent]) -> CSSColor? {
        var rest = arguments[...]
        var origin: CSSColor?
        if rest.first?.ident == "from" {
            guard rest.count > 1, let color = CSSColor(rest[rest.startIndex + 1]) else {
                return nil
            }
            origin = color
            rest = rest.dropFirst(2)
        }
        var spaceName = name
        if name == "color" {
            guard let named = rest.first?.ident else { return nil }
            spaceName = named
            rest = rest.dropFirst()
        }
        guard let space = CSSColorSpace(spaceName) else { return nil }
        let values = rest.filter { $0.token(.comma) == nil && $0.token(.delimiter)?.text != "/" }
        guard values.count == 3 || values.count == 4 else { return nil }
        var known: [String: Double] = [:]
        if let origin {
            let written = space.written(of: origin.channels)
            for (index, channel) in space.names.enumerated() { known[channel] = written[index] }
            known["alpha"] = origin.alpha
        }
        var found = SIMD3<Double>()
        for index in 0..<3 {
            guard
                let value = coordinate(
                    values[index], whole: space.whole[index],
                    isAngle: space.hueIndex == index, known)
            else { return nil }
            found[index] = value
        }
        var alpha = origin?.alpha ?? 1
        if values.count == 4 {
            guard let value = coordinate(values[3], whole: 1, isAngle: false, known) else {
                return nil
            }
            alpha = min(1, max(0, value))
        }
        return CSSColor(space.channels(ofWritten: found), alpha: alpha)
    }

    private static func coordinate(
        _ component: CSSComponent, whole: Double, isAngle: Bool, _ known: [String: Double]
    ) -> Double? {
        if let word = component.ident { return word == "none" ? 0 : known[word] }
        if isAngle { return CSSLength.degrees(replacing(component, known)) }
        return CSSLength.pixels(
            [replacing(component, known)], fontSize: 16, rootFontSize: 16, of: whole)
    }

    /// Calculations with the numbers of another colour in place of their names.
    private static func replacing(
        _ component: CSSComponent, _ known: [String: Double]
    ) -> CSSComponent {
        guard !known.isEmpty else { return component }
        switch component {
        case .token(let token):
            guard token.kind == .ident, let number = known[token.value] else { return component }
            return .token(CSSToken(kind: .number, text: "", number: number))
        case .function(let name, let inner):
            return .function(name, inner.map { replacing($0, known) })
        case .block(let open, let inner):
            return .block(open, inner.map { replacing($0, known) })
        }
    }

    // MARK: Mixtures

    /// `color-mix(in oklab, red 30%, blue)`.
    private static func mixed(_ parts: [[CSSComponent]]) -> CSSColor? {
        guard parts.count == 3, let method = Optional(parts[0].solid), method.count >= 2,
            method[0].ident == "in", let space = method[1].ident.flatMap({ CSSColorSpace($0) }),
            let (first, firstShare) = share(parts[1]), let (second, secondShare) = share(parts[2])
        else { return nil }
        var (one, two) = (firstShare ?? -1, secondShare ?? -1)
        if one < 0 { one = two < 0 ? 0.5 : 1 - two }
        if two < 0 { two = 1 - one }
        let sum = one + two
        guard sum > 0, one >= 0, two >= 0 else { return nil }
        let part = two / sum
        let isLonger = method.dropFirst(2).first?.ident == "longer"
        let alpha = first.alpha * (1 - part) + second.alpha * part
        let values = space.mixed(first, second, part, alpha: alpha, isLonger: isLonger)
        return CSSColor(space.channels(ofWritten: values), alpha: alpha * min(1, sum))
    }

    private static func share(_ part: [CSSComponent]) -> (CSSColor, Double?)? {
        var (color, share): (CSSColor?, Double?) = (nil, nil)
        for component in part where !component.isSpace {
            if let percent = component.token(.percentage) {
                share = percent.number / 100
            } else {
                color = CSSColor(component)
            }
        }
        return color.map { ($0, share) }
    }
}
