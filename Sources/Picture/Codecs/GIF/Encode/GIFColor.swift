/// The encoder's representation of colours: RGBA in memory order in 32 bits, 0 if invisible.
enum GIFColor {
    /// Red, green and blue; the fourth lane is 0.
    static func channels(_ color: UInt32) -> SIMD4<Int32> {
        let color = Int32(bitPattern: UInt32(littleEndian: color) & 0xFF_FFFF)
        return SIMD4(color & 0xFF, color >> 8 & 0xFF, color >> 16, 0)
    }

    /// The opaque colour of channels within 0...255.
    static func opaque(_ channels: SIMD4<Int32>) -> UInt32 {
        let (red, green, blue) = (channels.x, channels.y, channels.z)
        return UInt32(littleEndian: UInt32(bitPattern: red | green << 8 | blue << 16) | 0xFF00_0000)
    }

    /// Writes opaque pixels, composed on `matte`; 0 for less than half-opaque pixels.
    static func flatten(
        _ pixels: UnsafeBufferPointer<UInt32>, onto matte: SIMD3<UInt8>,
        into target: UnsafeMutableBufferPointer<UInt32>
    ) {
        precondition(pixels.count == target.count)
        let ground = SIMD4(Int32(matte.x), Int32(matte.y), Int32(matte.z), 0)
        for (index, pixel) in pixels.enumerated() {
            let alpha = Int32(UInt32(littleEndian: pixel) >> 24)
            switch alpha {
            case 255: target[index] = pixel
            case ..<128: target[index] = 0
            default:
                let sum = channels(pixel) &* alpha &+ ground &* (255 - alpha) &+ 127
                target[index] = opaque(sum / 255)
            }
        }
    }
}
