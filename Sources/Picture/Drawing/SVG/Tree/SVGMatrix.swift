import Glibc

/// x' = ax + cy + e, y' = bx + dy + f.
struct SVGMatrix: Equatable {
    var a, b, c, d, e, f: Double

    static let identity = SVGMatrix(a: 1, b: 0, c: 0, d: 1, e: 0, f: 0)

    static func translation(_ x: Double, _ y: Double) -> SVGMatrix {
        SVGMatrix(a: 1, b: 0, c: 0, d: 1, e: x, f: y)
    }

    static func scale(_ x: Double, _ y: Double) -> SVGMatrix {
        SVGMatrix(a: x, b: 0, c: 0, d: y, e: 0, f: 0)
    }

    static func rotation(_ angle: Double) -> SVGMatrix {
        SVGMatrix(a: cos(angle), b: sin(angle), c: -sin(angle), d: cos(angle), e: 0, f: 0)
    }

    static func skew(_ x: Double, _ y: Double) -> SVGMatrix {
        SVGMatrix(a: 1, b: tan(y), c: tan(x), d: 1, e: 0, f: 0)
    }

    var isIdentity: Bool { self == .identity }

    /// Applies `right`, then `left`.
    static func * (left: SVGMatrix, right: SVGMatrix) -> SVGMatrix {
        SVGMatrix(
            a: left.a * right.a + left.c * right.b, b: left.b * right.a + left.d * right.b,
            c: left.a * right.c + left.c * right.d, d: left.b * right.c + left.d * right.d,
            e: left.a * right.e + left.c * right.f + left.e,
            f: left.b * right.e + left.d * right.f + left.f)
    }

    /// The transformed point.
    static func * (matrix: SVGMatrix, point: SIMD2<Double>) -> SIMD2<Double> {
        SIMD2(
            matrix.a * point.x + matrix.c * point.y + matrix.e,
            matrix.b * point.x + matrix.d * point.y + matrix.f)
    }

    /// Whether it turns or skews.
    var isTurned: Bool { abs(b) + abs(c) > 1e-9 }

    /// As an attribute.
    var text: String {
        let numbers = [a, b, c, d, e, f].map { CSSLength.text($0) }
        return "matrix(\(numbers.joined(separator: " ")))"
    }
}

extension SVGMatrix {
    /// Takes the six numbers of `matrix()`.
    init(_ numbers: [Double]) {
        self.init(
            a: numbers[0], b: numbers[1], c: numbers[2], d: numbers[3], e: numbers[4], f: numbers[5]
        )
    }

    /// Reads an attribute; `nil` if it is faulty.
    init?(_ attribute: String) {
        guard let components = CSSComponent.list(Self.asInStyles(attribute)) else { return nil }
        self = .identity
        for component in components where !component.isSpace && component.token(.comma) == nil {
            guard case .function(let name, let arguments) = component else { return nil }
            let numbers = arguments.compactMap { $0.token(.number)?.number }
            guard let next = Self.function(name, numbers) else { return nil }
            self = self * next
        }
    }

    /// Style sheets allow no space before a parenthesis.
    private static func asInStyles(_ attribute: String) -> String {
        var text: [UInt8] = []
        for byte in attribute.utf8 {
            if byte == UInt8(ascii: "(") {
                while let last = text.last, last <= UInt8(ascii: " ") { text.removeLast() }
            }
            text.append(byte)
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func function(_ name: String, _ numbers: [Double]) -> SVGMatrix? {
        let angle = (numbers.first ?? 0) * .pi / 180
        switch (name, numbers.count) {
        case ("matrix", 6): return SVGMatrix(numbers)
        case ("translate", 1), ("translate", 2):
            return .translation(numbers[0], numbers.count > 1 ? numbers[1] : 0)
        case ("scale", 1), ("scale", 2): return .scale(numbers[0], numbers.last ?? 1)
        case ("rotate", 1): return .rotation(angle)
        case ("rotate", 3):
            return .translation(numbers[1], numbers[2]) * .rotation(angle)
                * .translation(-numbers[1], -numbers[2])
        case ("skewx", 1): return .skew(angle, 0)
        case ("skewy", 1): return .skew(0, angle)
        default: return nil
        }
    }
}
