import Glibc

/// The meaning of a colour's numbers (CSS Color Level 4, sections 7 to 10 and 18).
struct CSSColorSpace {
    /// The names of the numbers.
    let names: [String]
    /// The value of 100 % for each.
    let whole: SIMD3<Double>
    /// The index of the angle.
    var hueIndex: Int?
    private let toLinear: (SIMD3<Double>) -> SIMD3<Double>
    private let fromLinear: (SIMD3<Double>) -> SIMD3<Double>

    /// Unclamped sRGB channels of numbers as written.
    func channels(ofWritten values: SIMD3<Double>) -> SIMD3<Double> {
        toLinear(values).mapped(Self.encoded)
    }

    /// The numbers to write for sRGB channels.
    func written(of channels: SIMD3<Double>) -> SIMD3<Double> {
        fromLinear(channels.mapped(Self.linear))
    }

    /// Numbers between those of two colours; by default a hue takes the shorter way around.
    func mixed(
        _ first: CSSColor, _ second: CSSColor, _ part: Double, alpha: Double, isLonger: Bool
    ) -> SIMD3<Double> {
        let (a, b) = (written(of: first.channels), written(of: second.channels))
        var result = SIMD3<Double>()
        for index in 0..<3 {
            if index == hueIndex {
                var distance = (b[index] - a[index]).truncatingRemainder(dividingBy: 360)
                if distance > 180 { distance -= 360 }
                if distance < -180 { distance += 360 }
                if isLonger { distance += distance > 0 ? -360 : 360 }
                result[index] = a[index] + distance * part
            } else {
                let sum = a[index] * first.alpha * (1 - part) + b[index] * second.alpha * part
                result[index] = alpha > 0 ? sum / alpha : 0
            }
        }
        return result
    }

    // MARK: Spaces

    /// A space by its name in functions and mixtures.
    init?(_ name: String) {
        switch name {
        case "rgb", "rgba":
            self.init(["r", "g", "b"], SIMD3(repeating: 255)) {
                ($0 / 255).mapped(Self.linear)
            } fromLinear: {
                $0.mapped(Self.encoded) * 255
            }
        case "hsl", "hsla": self.init(hue: ["h", "s", "l"], Self.hsl, Self.hslOf)
        case "hwb": self.init(hue: ["h", "w", "b"], Self.hwb, Self.hwbOf)
        case "oklab":
            self.init(["l", "a", "b"], SIMD3(1, 0.4, 0.4), Self.oklab, fromLinear: Self.oklabOf)
        case "lab":
            self.init(["l", "a", "b"], SIMD3(100, 125, 125), Self.lab, fromLinear: Self.labOf)
        case "oklch":
            self.init(polar: SIMD3(1, 0.4, 360), Self.oklab, Self.oklabOf)
        case "lch":
            self.init(polar: SIMD3(100, 150, 360), Self.lab, Self.labOf)
        default:
            guard let space = Self.rectangular(name) else { return nil }
            self = space
        }
    }

    private init(
        _ names: [String], _ whole: SIMD3<Double>,
        _ toLinear: @escaping (SIMD3<Double>) -> SIMD3<Double>,
        fromLinear: @escaping (SIMD3<Double>) -> SIMD3<Double>
    ) {
        (self.names, self.whole) = (names, whole)
        (self.toLinear, self.fromLinear) = (toLinear, fromLinear)
    }

    private init(
        polar whole: SIMD3<Double>, _ toLinear: @escaping (SIMD3<Double>) -> SIMD3<Double>,
        _ fromLinear: @escaping (SIMD3<Double>) -> SIMD3<Double>
    ) {
        self.init(["l", "c", "h"], whole) { value in
            let hue = value.z * .pi / 180
            return toLinear(SIMD3(value.x, value.y * cos(hue), value.y * sin(hue)))
        } fromLinear: { linear in
            let value = fromLinear(linear)
            let hue = atan2(value.z, value.y) * 180 / .pi
            return SIMD3(value.x, hypot(value.y, value.z), hue < 0 ? hue + 360 : hue)
        }
        hueIndex = 2
    }

    private init(
        hue names: [String], _ rgb: @escaping (SIMD3<Double>) -> SIMD3<Double>,
        _ ofRGB: @escaping (SIMD3<Double>) -> SIMD3<Double>
    ) {
        self.init(names, SIMD3(360, 100, 100)) {
            rgb($0).mapped(Self.linear)
        } fromLinear: {
            ofRGB($0.mapped(Self.encoded))
        }
        hueIndex = 0
    }

    /// The spaces of `color()`: the primaries as columns that lead to linear sRGB.
    private static func rectangular(_ name: String) -> CSSColorSpace? {
        let matrix: Matrix
        var (decode, encode): ((Double) -> Double, (Double) -> Double) = ({ $0 }, { $0 })
        var names = ["r", "g", "b"]
        switch name {
        case "srgb":
            matrix = .identity
            (decode, encode) = (linear, encoded)
        case "srgb-linear": matrix = .identity
        case "display-p3":
            matrix = .sRGBOfXYZ * .xyzOfP3
            (decode, encode) = (linear, encoded)
        case "a98-rgb":
            matrix = .sRGBOfXYZ * .xyzOfA98
            (decode, encode) = (power(563.0 / 256), power(256.0 / 563))
        case "prophoto-rgb":
            matrix = .sRGBOfXYZ * .d65OfD50 * .xyzD50OfProPhoto
            (decode, encode) = (power(1.8), power(1 / 1.8))
        case "rec2020":
            matrix = .sRGBOfXYZ * .xyzOfRec2020
            (decode, encode) = (rec2020, rec2020Encoded)
        case "xyz", "xyz-d65":
            matrix = .sRGBOfXYZ
            names = ["x", "y", "z"]
        case "xyz-d50":
            matrix = .sRGBOfXYZ * .d65OfD50
            names = ["x", "y", "z"]
        default: return nil
        }
        let inverse = matrix.inverse
        return CSSColorSpace(names, .one) {
            matrix * $0.mapped(decode)
        } fromLinear: {
            (inverse * $0).mapped(encode)
        }
    }

    // MARK: Formulas

    /// A formula that is mirrored for negative values.
    private static func mirrored(_ value: Double, _ formula: (Double) -> Double) -> Double {
        value < 0 ? -formula(-value) : formula(value)
    }

    private static func linear(_ value: Double) -> Double {
        mirrored(value) { $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }
    }

    private static func encoded(_ value: Double) -> Double {
        mirrored(value) { $0 <= 0.0031308 ? $0 * 12.92 : 1.055 * pow($0, 1 / 2.4) - 0.055 }
    }

    private static func power(_ exponent: Double) -> (Double) -> Double {
        { mirrored($0) { pow($0, exponent) } }
    }

    /// ITU-R BT.2020, table 4.
    private static func rec2020(_ value: Double) -> Double {
        mirrored(value) {
            $0 < 4.5 * 0.018053968510807
                ? $0 / 4.5 : pow(($0 + 0.09929682680944) / 1.09929682680944, 1 / 0.45)
        }
    }

    private static func rec2020Encoded(_ value: Double) -> Double {
        mirrored(value) {
            $0 < 0.018053968510807
                ? $0 * 4.5 : 1.09929682680944 * pow($0, 0.45) - 0.09929682680944
        }
    }

    private static func hsl(_ value: SIMD3<Double>) -> SIMD3<Double> {
        let (hue, saturation, lightness) = (value.x, max(0, value.y) / 100, value.z / 100)
        func channel(_ n: Double) -> Double {
            var k = (n + hue / 30).truncatingRemainder(dividingBy: 12)
            if k < 0 { k += 12 }
            let size = saturation * min(lightness, 1 - lightness)
            return lightness - size * max(-1, min(k - 3, 9 - k, 1))
        }
        return SIMD3(channel(0), channel(8), channel(4))
    }

    private static func hslOf(_ rgb: SIMD3<Double>) -> SIMD3<Double> {
        let (most, least) = (rgb.max(), rgb.min())
        let (lightness, range) = ((most + least) / 2, most - least)
        guard range > 1e-9 else { return SIMD3(0, 0, lightness * 100) }
        let saturation =
            lightness <= 0 || lightness >= 1
            ? 0 : (most - lightness) / min(lightness, 1 - lightness)
        var hue: Double
        if most == rgb.x {
            hue = (rgb.y - rgb.z) / range + (rgb.y < rgb.z ? 6 : 0)
        } else if most == rgb.y {
            hue = (rgb.z - rgb.x) / range + 2
        } else {
            hue = (rgb.x - rgb.y) / range + 4
        }
        hue *= 60
        return SIMD3(hue, saturation * 100, lightness * 100)
    }

    private static func hwb(_ value: SIMD3<Double>) -> SIMD3<Double> {
        let (white, black) = (value.y / 100, value.z / 100)
        guard white + black < 1 else { return SIMD3(repeating: white / (white + black)) }
        return hsl(SIMD3(value.x, 100, 50)) * (1 - white - black) + white
    }

    private static func hwbOf(_ rgb: SIMD3<Double>) -> SIMD3<Double> {
        SIMD3(hslOf(rgb).x, rgb.min() * 100, (1 - rgb.max()) * 100)
    }

    /// Björn Ottosson, A perceptual color space for image processing, 2020.
    private static func oklab(_ value: SIMD3<Double>) -> SIMD3<Double> {
        let roots = Matrix.rootsOfOklab * value
        return Matrix.linearOfLMS * (roots * roots * roots)
    }

    private static func oklabOf(_ linear: SIMD3<Double>) -> SIMD3<Double> {
        let cones = Matrix.linearOfLMS.inverse * linear
        return Matrix.rootsOfOklab.inverse * cones.mapped { cbrt($0) }
    }

    private static let white = SIMD3(0.3457 / 0.3585, 1, (1 - 0.3457 - 0.3585) / 0.3585)

    private static func lab(_ value: SIMD3<Double>) -> SIMD3<Double> {
        let y = (value.x + 16) / 116
        let parts = SIMD3(value.y / 500 + y, y, y - value.z / 200)
        let xyz = parts.mapped { $0 > 6.0 / 29 ? $0 * $0 * $0 : (116 * $0 - 16) / (24389.0 / 27) }
        return Matrix.sRGBOfXYZ * (Matrix.d65OfD50 * (xyz * white))
    }

    private static func labOf(_ linear: SIMD3<Double>) -> SIMD3<Double> {
        let xyz = (Matrix.d65OfD50.inverse * (Matrix.sRGBOfXYZ.inverse * linear)) / white
        let parts = xyz.mapped { $0 > 216.0 / 24389 ? cbrt($0) : (24389.0 / 27 * $0 + 16) / 116 }
        return SIMD3(116 * parts.y - 16, 500 * (parts.x - parts.y), 200 * (parts.y - parts.z))
    }
}

/// Three rows of three numbers.
private struct Matrix {
    var rows: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)

    init(_ a: SIMD3<Double>, _ b: SIMD3<Double>, _ c: SIMD3<Double>) { rows = (a, b, c) }

    static let identity = Matrix(SIMD3(1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1))
    static let sRGBOfXYZ = Matrix(
        SIMD3(3.2409699419, -1.5373831776, -0.4986107603),
        SIMD3(-0.9692436363, 1.8759675015, 0.0415550574),
        SIMD3(0.0556300797, -0.2039769589, 1.0569715142))
    static let xyzOfP3 = Matrix(
        SIMD3(0.4865709486, 0.2656676932, 0.1982172852),
        SIMD3(0.2289745641, 0.6917385218, 0.0792869141), SIMD3(0, 0.0451133819, 1.0439443689))
    static let xyzOfA98 = Matrix(
        SIMD3(0.5766690429, 0.1855582379, 0.1882286462),
        SIMD3(0.2973449753, 0.6273635663, 0.0752914585),
        SIMD3(0.0270313614, 0.0706888525, 0.9913375368))
    static let xyzOfRec2020 = Matrix(
        SIMD3(0.6369580483, 0.1446169036, 0.1688809752),
        SIMD3(0.2627002120, 0.6779980715, 0.0593017165),
        SIMD3(0, 0.0280726930, 1.0609850577))
    static let xyzD50OfProPhoto = Matrix(
        SIMD3(0.7977666449, 0.1351812974, 0.0313477341),
        SIMD3(0.2880748288, 0.7118352343, 0.0000899369), SIMD3(0, 0, 0.8251046025))
    static let d65OfD50 = Matrix(
        SIMD3(0.9554734527, -0.0230985368, 0.0632593086),
        SIMD3(-0.0283697069, 1.0099954580, 0.0210413990),
        SIMD3(0.0123140016, -0.0205076964, 1.3303659366))
    static let rootsOfOklab = Matrix(
        SIMD3(1, 0.3963377774, 0.2158037573), SIMD3(1, -0.1055613458, -0.0638541728),
        SIMD3(1, -0.0894841775, -1.2914855480))
    static let linearOfLMS = Matrix(
        SIMD3(4.0767416621, -3.3077115913, 0.2309699292),
        SIMD3(-1.2684380046, 2.6097574011, -0.3413193965),
        SIMD3(-0.0041960863, -0.7034186147, 1.7076147010))

    static func * (a: Matrix, b: SIMD3<Double>) -> SIMD3<Double> {
        SIMD3((a.rows.0 * b).sum(), (a.rows.1 * b).sum(), (a.rows.2 * b).sum())
    }

    static func * (a: Matrix, b: Matrix) -> Matrix {
        let columns = b.transposed.rows
        let (x, y, z) = (a * columns.0, a * columns.1, a * columns.2)
        return Matrix(x, y, z).transposed
    }

    var transposed: Matrix {
        let (a, b, c) = rows
        return Matrix(SIMD3(a.x, b.x, c.x), SIMD3(a.y, b.y, c.y), SIMD3(a.z, b.z, c.z))
    }

    var inverse: Matrix {
        func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
            SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
        }
        let (a, b, c) = rows
        let determinant = (a * cross(b, c)).sum()
        return Matrix(
            cross(b, c) / determinant, cross(c, a) / determinant, cross(a, b) / determinant
        ).transposed
    }
}

extension SIMD3<Double> {
    fileprivate func mapped(_ change: (Double) -> Double) -> SIMD3<Double> {
        SIMD3(change(x), change(y), change(z))
    }
}
