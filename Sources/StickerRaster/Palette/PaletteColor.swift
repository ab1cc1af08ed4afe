/// A colour as a place in a space where distance is what the eye sees, on white and on black alike.
///
/// With p a premultiplied sample and a the alpha, an error shows as dp on black and as dp - da on white.
/// The sum of both squares is 2 (dp - da / 2)^2 + da^2 / 2. So p - a / 2 of red, green and blue and
/// (3 / 4)^0.5 a are axes at right angles, up to a common factor.
enum PaletteColor {
    private static let alphaScale = Float(0.75).squareRoot()

    /// The place of `pixel`, straight RGBA in memory order.
    static func place(of pixel: UInt32) -> SIMD4<Float> {
        let pixel = UInt32(littleEndian: pixel)
        let samples = SIMD4(pixel & 255, pixel >> 8 & 255, pixel >> 16 & 255, pixel >> 24)
        let straight = SIMD4<Float>(samples)
        return place(straight * (straight.w / 255), alpha: straight.w)
    }

    /// The straight RGBA pixel that is nearest to `place`, which need not be one that exists.
    static func pixel(at place: SIMD4<Float>) -> UInt32 {
        let alpha = (place.w / alphaScale).rounded().clamped(to: 0...255)
        guard alpha > 0 else { return 0 }
        let straight = ((place + place.w / alphaScale / 2) * (255 / alpha)).rounded(
            .toNearestOrEven
        )
        .clamped(lowerBound: .zero, upperBound: SIMD4(repeating: 255))
        let samples = SIMD4<UInt32>(straight)
        let color = samples.x | samples.y << 8 | samples.z << 16
        return UInt32(littleEndian: color | UInt32(alpha) << 24)
    }

    /// The nearest place that a colour can have.
    static func inside(_ place: SIMD4<Float>) -> SIMD4<Float> {
        let alpha = (place.w / alphaScale).clamped(to: 0...255)
        let half = SIMD4(repeating: alpha / 2)
        var inside = place.clamped(lowerBound: 0 - half, upperBound: half)
        inside.w = alpha * alphaScale
        return inside
    }

    private static func place(_ premultiplied: SIMD4<Float>, alpha: Float) -> SIMD4<Float> {
        var place = premultiplied - alpha / 2
        place.w = alpha * alphaScale
        return place
    }

    /// The fourth byte in memory.
    static func alpha(_ pixel: UInt32) -> UInt8 {
        UInt8(truncatingIfNeeded: UInt32(littleEndian: pixel) >> 24)
    }
}

extension Float {
    fileprivate func clamped(to range: ClosedRange<Float>) -> Float {
        Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}

/// The square of the distance of two places.
@inline(__always)
func squaredDistance(_ a: SIMD4<Float>, _ b: SIMD4<Float>) -> Float {
    let step = a - b
    return (step * step).sum()
}
