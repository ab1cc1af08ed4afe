import CTIFF
import Glibc

/// CIE L*a*b* of a TIFF as sRGB (TIFF 6.0, section 23; Technical Note 4 of the TIFF supplements).
///
/// The white of the file becomes that of sRGB by the Bradford method; colours outside sRGB are clamped.
struct TIFFLab {
    /// How the three samples are stored: CIELab has signed colours, ICCLab has them shifted.
    private let isShifted: Bool
    private let bits: Int
    /// From XYZ relative to the file's white to linear light in sRGB.
    private let matrix: [SIMD3<Double>]
    /// sRGB samples of 16 bits by linear light in 4096 steps.
    private let encoded: [Double]

    init(_ info: ctiff_info, isShifted: Bool) {
        self.isShifted = isShifted
        bits = Int(info.bits)
        matrix = Self.matrix(whiteX: Double(info.white.0), whiteY: Double(info.white.1))
        encoded = (0...Self.steps).map { Self.encode(Double($0) / Double(Self.steps)) * 65535 }
    }

    private static let steps = 4096

    /// Red, green and blue in 16 bits.
    func color(_ first: UInt16, _ second: UInt16, _ third: UInt16) -> SIMD3<UInt32> {
        let full = bits == 16 ? (isShifted ? 65280.0 : 65535.0) : 255.0
        let lightness = Double(first) * 100 / full
        let y = (lightness + 16) / 116
        let xyz = SIMD3(
            Self.linear(y + difference(second) / 500), Self.linear(y),
            Self.linear(y - difference(third) / 200))
        return SIMD3(
            sample((matrix[0] * xyz).sum()), sample((matrix[1] * xyz).sum()),
            sample((matrix[2] * xyz).sum()))
    }

    /// a* or b*.
    private func difference(_ value: UInt16) -> Double {
        if isShifted {
            return bits == 16 ? (Double(value) - 32768) / 256 : Double(value) - 128
        }
        return bits == 16
            ? Double(Int16(bitPattern: value)) / 256
            : Double(Int8(truncatingIfNeeded: value))
    }

    private static func linear(_ value: Double) -> Double {
        value > 6.0 / 29 ? value * value * value : (value - 4.0 / 29) * 108 / 841
    }

    /// The curve of sRGB (IEC 61966-2-1), interpolated between steps; the first ones are finer.
    private func sample(_ linear: Double) -> UInt32 {
        let place = max(0, min(1, linear)) * Double(Self.steps)
        guard place >= 16 else {
            return UInt32((Self.encode(place / Double(Self.steps)) * 65535).rounded())
        }
        let step = min(Self.steps - 1, Int(place))
        let part = place - Double(step)
        return UInt32((encoded[step] * (1 - part) + encoded[step + 1] * part).rounded())
    }

    private static func encode(_ linear: Double) -> Double {
        linear <= 0.0031308 ? linear * 12.92 : 1.055 * pow(linear, 1 / 2.4) - 0.055
    }

    // MARK: White

    private static let bradford = [
        SIMD3(0.8951, 0.2664, -0.1614), SIMD3(-0.7502, 1.7135, 0.0367),
        SIMD3(0.0389, -0.0685, 1.0296),
    ]
    private static let bradfordBack = [
        SIMD3(0.9869929, -0.1470543, 0.1599627), SIMD3(0.4323053, 0.5183603, 0.0492912),
        SIMD3(-0.0085287, 0.0400428, 0.9684867),
    ]
    /// From XYZ of D65 to linear light in sRGB.
    private static let sRGB = [
        SIMD3(3.2404542, -1.5371385, -0.4985314), SIMD3(-0.9692660, 1.8760108, 0.0415560),
        SIMD3(0.0556434, -0.2040259, 1.0572252),
    ]
    private static let d50 = (x: 0.3457, y: 0.3585)
    private static let d65 = (x: 0.3127, y: 0.3290)

    /// Scaling by the white of the file, its adaptation to D65, and sRGB in one.
    private static func matrix(whiteX: Double, whiteY: Double) -> [SIMD3<Double>] {
        let isUsable = whiteX > 0.1 && whiteX < 0.8 && whiteY > 0.1 && whiteY < 0.8
        let white = isUsable ? xyz(whiteX, whiteY) : xyz(d50.x, d50.y)
        let (from, to) = (product(bradford, white), product(bradford, xyz(d65.x, d65.y)))
        let cones = (0..<3).map { bradford[$0] * (to[$0] / from[$0]) * white }
        return product(sRGB, product(bradfordBack, cones))
    }

    private static func xyz(_ x: Double, _ y: Double) -> SIMD3<Double> {
        SIMD3(x / y, 1, (1 - x - y) / y)
    }

    private static func product(_ rows: [SIMD3<Double>], _ vector: SIMD3<Double>) -> SIMD3<Double> {
        SIMD3((rows[0] * vector).sum(), (rows[1] * vector).sum(), (rows[2] * vector).sum())
    }

    private static func product(
        _ rows: [SIMD3<Double>], _ others: [SIMD3<Double>]
    ) -> [SIMD3<Double>] {
        rows.map { others[0] * $0.x + others[1] * $0.y + others[2] * $0.z }
    }
}
