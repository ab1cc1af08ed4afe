import Glibc
import StickerValues

/// Rows of light as absorbed by the three kinds of cones of the eye.
///
/// Linear light, mixed by the opsin absorbance matrix of JPEG XL (ISO/IEC 18181-1, XYB), bias included.
struct ConeLight {
    let long: Plane
    let medium: Plane
    let short: Plane

    init(width: Int, height: Int) {
        long = Plane(width: width, height: height)
        medium = Plane(width: width, height: height)
        short = Plane(width: width, height: height)
    }

    /// Sets row `y` of both from a row of straight RGBA8, composed in sRGB space as viewers do.
    static func mix(
        _ pixels: UnsafeRawBufferPointer, onWhite: ConeLight, onBlack: ConeLight, row y: Int
    ) {
        let white = (onWhite.long[y], onWhite.medium[y], onWhite.short[y])
        let black = (onBlack.long[y], onBlack.medium[y], onBlack.short[y])
        absorption.withUnsafeBufferPointer { table in
            var (previous, light) = (UInt32.zero, absorbed(.zero, table))
            for x in 0..<onWhite.long.width {
                let bits = pixels.loadUnaligned(fromByteOffset: x * 4, as: UInt32.self)
                if bits != previous {
                    previous = bits
                    light = absorbed(unsafeBitCast(bits, to: SIMD4<UInt8>.self), table)
                }
                (white.0[x], white.1[x], white.2[x]) =
                    (light.onWhite.x, light.onWhite.y, light.onWhite.z)
                (black.0[x], black.1[x], black.2[x]) =
                    (light.onBlack.x, light.onBlack.y, light.onBlack.z)
            }
        }
        onWhite.repeatEnds(ofRow: y)
        onBlack.repeatEnds(ofRow: y)
    }

    /// Sets row `y` to rows `upper` and `lower` of `source` at half the size: means of four samples.
    func halve(_ upper: Int, _ lower: Int, of source: ConeLight, row y: Int) {
        let count = source.long.paddedWidth / 2
        average(source.long[upper], source.long[lower], into: long[y], count)
        average(source.medium[upper], source.medium[lower], into: medium[y], count)
        average(source.short[upper], source.short[lower], into: short[y], count)
        repeatEnds(ofRow: y)
    }

    private func repeatEnds(ofRow y: Int) {
        long.repeatEnd(ofRow: y)
        medium.repeatEnd(ofRow: y)
        short.repeatEnd(ofRow: y)
    }
}

/// The light absorbed by the cones from a pixel.
@inline(__always)
private func absorbed(
    _ pixel: SIMD4<UInt8>, _ table: UnsafeBufferPointer<SIMD4<Float>>
) -> (onWhite: SIMD4<Float>, onBlack: SIMD4<Float>) {
    let wide = SIMD4<UInt16>(truncatingIfNeeded: pixel)
    // Divides by 255 and rounds, exactly.
    var shown = wide &* wide.w &+ 128
    shown = (shown &+ (shown &>> 8)) &>> 8
    let onBlack = light(shown, table)
    return wide.w == 255 ? (onBlack, onBlack) : (light(shown &+ (255 &- wide.w), table), onBlack)
}

@inline(__always)
private func light(
    _ color: SIMD4<UInt16>, _ table: UnsafeBufferPointer<SIMD4<Float>>
) -> SIMD4<Float> {
    table[Int(color.x)] + table[256 + Int(color.y)] + table[512 + Int(color.z)]
}

private func average(_ upper: Row, _ lower: Row, into target: Row, _ count: Int) {
    for x in stride(from: 0, to: count, by: Lanes.scalarCount) {
        let first = upper[lanes: 2 * x] + lower[lanes: 2 * x]
        let second = upper[lanes: 2 * x + 8] + lower[lanes: 2 * x + 8]
        let even = Lanes(lowHalf: first.evenHalf, highHalf: second.evenHalf)
        let odd = Lanes(lowHalf: first.oddHalf, highHalf: second.oddHalf)
        target[lanes: x] = (even + odd) * 0.25
    }
}

/// The contribution of each of the 256 levels of red, then of green, then of blue to the long, medium and short cones.
///
/// sRGB to light by IEC 61966-2-1; the bias of all cones is added to red.
private let absorption: [SIMD4<Float>] = {
    let bias: Float = 0.003_793_073_3
    let red = SIMD4<Float>(0.3, 0.23, 0.243_422_69, 0)
    let green = SIMD4<Float>(0.622, 0.692, 0.204_767_45, 0)
    let blue = SIMD4<Float>(0.078, 0.078, 0.551_809_87, 0)
    let light = (0..<256).map { level -> Float in
        let value = Float(level) / 255
        return value <= 0.04045 ? value / 12.92 : powf((value + 0.055) / 1.055, 2.4)
    }
    return light.map { red * $0 + bias } + light.map { green * $0 } + light.map { blue * $0 }
}()
