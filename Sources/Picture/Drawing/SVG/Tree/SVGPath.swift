import Glibc

/// The points of a path (SVG 1.1, section 8.3), with curves as short straight lines: enough to measure it.
struct SVGPath {
    /// Points, for each part of the path separately.
    private(set) var parts: [[SIMD2<Double>]] = []

    private static let pointsMax = 400_000
    private static let curveSteps = 24

    private var point = SIMD2<Double>.zero
    private var start = SIMD2<Double>.zero
    private var control = SIMD2<Double>.zero

    /// Reads path data up to its first fault.
    init(_ data: String) {
        var reader = PathReader(data)
        var (last, count) = (UInt8(0), 0)
        while let command = reader.command(after: last), count < Self.pointsMax {
            guard take(command, after: last | 0x20, &reader) else { return }
            let isMove = command | 0x20 == UInt8(ascii: "m")
            // Further points after a move are lines.
            last = isMove ? command - 1 : command
            count += command | 0x20 == UInt8(ascii: "l") ? 1 : Self.curveSteps
        }
    }

    /// Draws one command; `false` if its numbers are faulty.
    private mutating func take(
        _ command: UInt8, after previous: UInt8, _ reader: inout PathReader
    ) -> Bool {
        let base = command >= UInt8(ascii: "a") ? point : .zero
        let kind = command | 0x20
        switch kind {
        case UInt8(ascii: "z"):
            add(start)
            point = start
        case UInt8(ascii: "m"):
            guard let next = reader.point() else { return false }
            (point, start) = (base + next, base + next)
            parts.append([point])
        case UInt8(ascii: "l"):
            guard let next = reader.point() else { return false }
            point = base + next
            add(point)
        case UInt8(ascii: "h"), UInt8(ascii: "v"):
            guard let number = reader.number() else { return false }
            let axis = kind == UInt8(ascii: "h") ? 0 : 1
            point[axis] = base[axis] + number
            add(point)
        case UInt8(ascii: "c"), UInt8(ascii: "s"):
            return takeCubic(base, isShort: kind == UInt8(ascii: "s"), after: previous, &reader)
        case UInt8(ascii: "q"), UInt8(ascii: "t"):
            return takeQuadratic(base, isShort: kind == UInt8(ascii: "t"), after: previous, &reader)
        case UInt8(ascii: "a"): return takeArc(base, &reader)
        default: return false
        }
        return true
    }

    private mutating func takeCubic(
        _ base: SIMD2<Double>, isShort: Bool, after previous: UInt8, _ reader: inout PathReader
    ) -> Bool {
        let continues = previous == UInt8(ascii: "c") || previous == UInt8(ascii: "s")
        var first = continues ? 2 * point - control : point
        if !isShort {
            guard let named = reader.point() else { return false }
            first = base + named
        }
        guard let second = reader.point(), let end = reader.point() else { return false }
        control = base + second
        addCurve(point, first, control, base + end)
        point = base + end
        return true
    }

    private mutating func takeQuadratic(
        _ base: SIMD2<Double>, isShort: Bool, after previous: UInt8, _ reader: inout PathReader
    ) -> Bool {
        let continues = previous == UInt8(ascii: "q") || previous == UInt8(ascii: "t")
        var middle = continues ? 2 * point - control : point
        if !isShort {
            guard let named = reader.point() else { return false }
            middle = base + named
        }
        guard let end = reader.point() else { return false }
        let target = base + end
        control = middle
        let (first, second) = (
            point + (middle - point) * (2 / 3), target + (middle - target) * (2 / 3)
        )
        addCurve(point, first, second, target)
        point = target
        return true
    }

    private mutating func takeArc(_ base: SIMD2<Double>, _ reader: inout PathReader) -> Bool {
        guard let radii = reader.point(), let angle = reader.number(), let isLarge = reader.flag(),
            let isClockwise = reader.flag(), let end = reader.point()
        else { return false }
        addArc(point, base + end, radii, angle, isLarge, isClockwise)
        point = base + end
        return true
    }

    /// The rectangle around it; `nil` if it is empty.
    var bounds: SVGBox? { SVGBox(around: Array(parts.joined())) }

    private mutating func add(_ point: SIMD2<Double>) {
        guard !parts.isEmpty else { return }
        parts[parts.count - 1].append(point)
    }

    private mutating func addCurve(
        _ a: SIMD2<Double>, _ b: SIMD2<Double>, _ c: SIMD2<Double>, _ d: SIMD2<Double>
    ) {
        for step in 1...Self.curveSteps {
            let t = Double(step) / Double(Self.curveSteps)
            let (u, ends) = (1 - t, d * (t * t * t))
            add(a * (u * u * u) + b * (3 * u * u * t) + c * (3 * u * t * t) + ends)
        }
    }

    /// SVG 1.1, appendix F.6.
    private mutating func addArc(
        _ from: SIMD2<Double>, _ to: SIMD2<Double>, _ radii: SIMD2<Double>, _ angle: Double,
        _ isLarge: Bool, _ isClockwise: Bool
    ) {
        var (rx, ry) = (abs(radii.x), abs(radii.y))
        guard rx > 0, ry > 0, from != to else { return add(to) }
        let (c, s) = (cos(angle * .pi / 180), sin(angle * .pi / 180))
        let half = (from - to) / 2
        let x = c * half.x + s * half.y, y = c * half.y - s * half.x
        let excess = x * x / (rx * rx) + y * y / (ry * ry)
        if excess > 1 { (rx, ry) = (rx * excess.squareRoot(), ry * excess.squareRoot()) }
        let below = rx * rx * y * y + ry * ry * x * x
        var factor = (max(0, rx * rx * ry * ry - below) / below).squareRoot()
        if isLarge == isClockwise { factor = -factor }
        let (cx, cy) = (factor * rx * y / ry, -factor * ry * x / rx)
        let start = atan2((y - cy) / ry, (x - cx) / rx)
        var sweep = atan2((-y - cy) / ry, (-x - cx) / rx) - start
        if isClockwise, sweep < 0 { sweep += 2 * .pi }
        if !isClockwise, sweep > 0 { sweep -= 2 * .pi }
        let middle = (from + to) / 2
        for step in 1...Self.curveSteps {
            let t = start + sweep * Double(step) / Double(Self.curveSteps)
            let (px, py) = (cx + rx * cos(t), cy + ry * sin(t))
            add(SIMD2(c * px - s * py + middle.x, s * px + c * py + middle.y))
        }
    }
}

/// Reads the letters and numbers of path data.
private struct PathReader {
    private let bytes: [UInt8]
    private var at = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    /// The next letter, or `last` again if numbers follow.
    mutating func command(after last: UInt8) -> UInt8? {
        skip()
        guard at < bytes.count else { return nil }
        if UInt8(ascii: "a")...UInt8(ascii: "z") ~= bytes[at] | 0x20 {
            at += 1
            return bytes[at - 1]
        }
        return last == 0 || last | 0x20 == UInt8(ascii: "z") ? nil : last
    }

    mutating func point() -> SIMD2<Double>? {
        guard let x = number(), let y = number() else { return nil }
        return SIMD2(x, y)
    }

    mutating func flag() -> Bool? {
        skip()
        guard at < bytes.count, bytes[at] == 0x30 || bytes[at] == 0x31 else { return nil }
        at += 1
        return bytes[at - 1] == 0x31
    }

    mutating func number() -> Double? {
        skip()
        let start = at
        var (hasDot, hasDigit) = (false, false)
        if at < bytes.count, bytes[at] == 0x2B || bytes[at] == 0x2D { at += 1 }
        while at < bytes.count {
            if 0x30...0x39 ~= bytes[at] {
                hasDigit = true
            } else if bytes[at] == 0x2E, !hasDot {
                hasDot = true
            } else {
                break
            }
            at += 1
        }
        guard hasDigit else { return nil }
        skipExponent()
        let number = strtod(String(decoding: bytes[start..<at], as: UTF8.self), nil)
        return number.isFinite ? number : nil
    }

    private mutating func skipExponent() {
        guard at + 1 < bytes.count, bytes[at] | 0x20 == UInt8(ascii: "e") else { return }
        let sign = bytes[at + 1] == 0x2B || bytes[at + 1] == 0x2D ? 1 : 0
        guard at + 1 + sign < bytes.count, 0x30...0x39 ~= bytes[at + 1 + sign] else { return }
        at += 1 + sign
        while at < bytes.count, 0x30...0x39 ~= bytes[at] { at += 1 }
    }

    private mutating func skip() {
        while at < bytes.count, CSSTokenizer.isSpace(bytes[at]) || bytes[at] == UInt8(ascii: ",") {
            at += 1
        }
    }
}
