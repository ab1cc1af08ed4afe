/// The axes along which the eye compares colours: XYB of JPEG XL, scaled and shifted as SSIMULACRA2
/// does, so that equal steps look about equally large and nothing is negative.
enum OpponentChannel: Sendable {
    case redGreen, brightness, blueYellow

    /// Sets row `target` of `plane` to this channel of row `y` of `light`, with zeros in the margins.
    func write(_ light: ConeLight, row y: Int, into plane: Plane, row target: Int = 0) {
        let (long, medium, short) = (light.long[y], light.medium[y], light.short[y])
        let row = plane[target]
        switch self {
        case .redGreen:
            for x in plane.vectors {
                let difference = cubeRoot(long[lanes: x]) - cubeRoot(medium[lanes: x])
                row[lanes: x] = difference * 7 + 0.42
            }
        case .brightness:
            for x in plane.vectors {
                let mean = (cubeRoot(long[lanes: x]) + cubeRoot(medium[lanes: x])) * 0.5
                row[lanes: x] = mean + (0.01 - darkness)
            }
        case .blueYellow:
            for x in plane.vectors {
                let mean = (cubeRoot(long[lanes: x]) + cubeRoot(medium[lanes: x])) * 0.5
                row[lanes: x] = cubeRoot(short[lanes: x]) - mean + 0.55
            }
        }
        plane.clearMargins(ofRow: target)
    }
}

/// The cube root of the bias, which is the light absorbed from black.
private let darkness: Float = 0.155_954_2

/// The cube root of numbers from 0.0037 to 1.01, to 3 parts in 100,000.
@inline(__always)
private func cubeRoot(_ value: Lanes) -> Lanes {
    // A third of the exponent, then one step of Halley's method.
    let bits = unsafeBitCast(value, to: SIMD8<UInt32>.self)
    let third = (bits &>> 2) &+ (bits &>> 4) &+ (bits &>> 6) &+ (bits &>> 8)
    let guess = unsafeBitCast(third &+ 0x2A65_6000, to: Lanes.self)
    let cube = guess * guess * guess
    return guess * (cube + value + value) / (cube + cube + value)
}
