import Glibc

/// A colour as seen on each of the chat backgrounds, which are the lanes: those of `ChatGround.allCases`, in order.
///
/// OKLab (Björn Ottosson, 2020) of the light that reaches the eye. That is the light of the pixel plus 5 % of white,
/// the flare in the contrast ratio of WCAG 2: near black, where screens reflect more than they emit, OKLab alone would
/// distinguish invisible shades.
struct SeenColors {
    typealias Grounds = SIMD4<Float>

    /// The three coordinates; in each black and white are at most 0.64 apart.
    let lightness, greenRed, blueYellow: Grounds

    /// The squared distance to another colour on each ground.
    @inline(__always)
    func squaredDistances(to other: SeenColors) -> Grounds {
        let lightness = lightness - other.lightness
        let greenRed = greenRed - other.greenRed
        let blueYellow = blueYellow - other.blueYellow
        return lightness * lightness + greenRed * greenRed + blueYellow * blueYellow
    }
}

/// Computes seen colours. Its tables serve all cells of a picture.
struct ChatEye {
    private static let flare: Float = 0.05

    /// The light of each of the 256 levels of sRGB (IEC 61966-2-1).
    private let light: [Float]
    /// The channels of the grounds.
    private let red, green, blue: SIMD4<UInt32>

    init() {
        light = (0..<256).map { level in
            let value = Float(level) / 255
            return value <= 0.04045 ? value / 12.92 : powf((value + 0.055) / 1.055, 2.4)
        }
        let colors = ChatGround.allCases.map { SIMD3<UInt32>(truncatingIfNeeded: $0.color) }
        red = SIMD4(colors.map(\.x))
        green = SIMD4(colors.map(\.y))
        blue = SIMD4(colors.map(\.z))
    }

    /// Sees `color`, premultiplied, composed with the grounds in sRGB as chats do it.
    @inline(__always)
    func see(_ color: SIMD4<UInt8>) -> SeenColors {
        let veil = 255 - UInt32(color.w)
        let red = light(UInt32(color.x), over: red, veil)
        let green = light(UInt32(color.y), over: green, veil)
        let blue = light(UInt32(color.z), over: blue, veil)
        let long = response(0.412_221_47 * red + 0.536_332_54 * green + 0.051_445_99 * blue)
        let medium = response(0.211_903_5 * red + 0.680_699_55 * green + 0.107_396_96 * blue)
        let short = response(0.088_302_46 * red + 0.281_718_84 * green + 0.629_978_7 * blue)
        return SeenColors(
            lightness: 0.210_454_26 * long + 0.793_617_8 * medium - 0.004_072_05 * short,
            greenRed: 1.977_998_5 * long - 2.428_592_2 * medium + 0.450_593_7 * short,
            blueYellow: 0.025_904_04 * long + 0.782_771_8 * medium - 0.808_675_8 * short)
    }

    /// The light of a channel on each background; `veil` is the part that its alpha transmits, 0...255.
    @inline(__always)
    private func light(
        _ level: UInt32, over ground: SIMD4<UInt32>, _ veil: UInt32
    ) -> SeenColors.Grounds {
        guard veil > 0 else { return SIMD4(repeating: light[Int(level)]) }
        // Divides by 255 and rounds, exactly.
        var behind = ground &* veil &+ 128
        behind = (behind &+ (behind &>> 8)) &>> 8
        let shown = behind &+ level
        return SIMD4(
            light[Int(min(shown.x, 255))], light[Int(min(shown.y, 255))],
            light[Int(min(shown.z, 255))], light[Int(min(shown.w, 255))])
    }

    /// The cube roots of light with its flare, by three steps of Newton's method, to 0.0005.
    @inline(__always)
    private func response(_ light: SeenColors.Grounds) -> SeenColors.Grounds {
        let value = (light + Self.flare) * (1 / (1 + Self.flare))
        var root = 0.36 + 0.64 * value
        for _ in 0..<3 { root = (root + root + value / (root * root)) * (1 / 3) }
        return root
    }
}
