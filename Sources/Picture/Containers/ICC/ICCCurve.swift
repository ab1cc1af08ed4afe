import Glibc

/// The tone curve of one channel of an ICC profile (ICC.1:2010, 10.5 and 10.15), from stored values to light, both 0...1.
struct ICCCurve {
    private enum Form {
        case gamma(Double)
        case table([Double])
        case formula(kind: Int, [Double])
    }

    private let form: Form

    /// The curve of the tag `name`, for example `rTRC`; `nil` if it is missing or unusable.
    init?(_ profile: UnsafeRawBufferPointer, _ name: StaticString) {
        guard let start = ICCOutline.tag(name, in: profile),
            let form = Self.tabled(profile, start) ?? Self.parametric(profile, start)
        else { return nil }
        self.form = form
    }

    /// The light of a stored value.
    func light(of value: Double) -> Double {
        switch form {
        case .gamma(let gamma): return pow(value, gamma)
        case .table(let light):
            let place = value * Double(light.count - 1)
            let (low, high) = (Int(place), min(Int(place) + 1, light.count - 1))
            return light[low] + (light[high] - light[low]) * (place - Double(low))
        case .formula(let kind, let p):
            // g, a, b, c, d, e, f of table 65.
            let (a, b) = (kind > 0 ? p[1] : 1, kind > 0 ? p[2] : 0)
            let isCurved = kind < 3 ? a * value + b >= 0 : value >= p[4]
            let offset = kind == 2 ? p[3] : kind == 4 ? p[5] : 0
            guard isCurved else {
                return kind < 3 ? (kind == 2 ? p[3] : 0) : p[3] * value + (kind == 4 ? p[6] : 0)
            }
            return pow(max(0, a * value + b), p[0]) + offset
        }
    }

    /// Whether gray is as light as in sRGB (IEC 61966-2-1), to a hundredth.
    var isLikeSRGB: Bool {
        [0.1, 0.25, 0.5, 0.75, 0.9].allSatisfy { value in
            abs(light(of: value) - pow((value + 0.055) / 1.055, 2.4)) < 0.01
        }
    }

    private static func tabled(_ profile: UnsafeRawBufferPointer, _ start: Int) -> Form? {
        guard profile.has("curv", at: start), let count = profile.bigEndian32(at: start + 8),
            count <= ICCOutline.curveEntriesMax
        else { return nil }
        let entries = (0..<count).compactMap { profile.bigEndian16(at: start + 12 + 2 * $0) }
        guard entries.count == count else { return nil }
        if count == 0 { return .gamma(1) }
        return count == 1
            ? .gamma(Double(entries[0]) / 256) : .table(entries.map { Double($0) / 65535 })
    }

    private static func parametric(_ profile: UnsafeRawBufferPointer, _ start: Int) -> Form? {
        let counts = ICCTag.parameterCounts
        guard profile.has("para", at: start), let kind = profile.bigEndian16(at: start + 8),
            kind < counts.count
        else { return nil }
        let parameters = (0..<counts[kind]).compactMap { index in
            profile.bigEndian32(at: start + 12 + 4 * index)
                .map { Double(Int32(truncatingIfNeeded: $0)) / 65536 }
        }
        return parameters.count == counts[kind] ? .formula(kind: kind, parameters) : nil
    }
}
