import StickerValues

extension PixelBuffer {
    /// The picture with a border of one colour around its own shape, on a canvas that is larger by `disc.radius` on
    /// every side.
    ///
    /// The shape is dilated by the disc. The border lies behind the picture and brings its alpha up to that of the
    /// dilated shape: a hole narrower than the disc is filled, and evenly translucent areas stay as they are.
    public consuming func outlined(by disc: DilationDisc, color: SIMD3<UInt8>) -> PixelBuffer {
        let shape = Dilation.grow(self, by: disc)
        let size = size.grown(by: disc.radius)
        var outlined = centered(on: size)
        outlined.withUnsafeMutableBytes { bytes in
            for y in 0..<size.height {
                let row = shape[y]
                for x in 0..<size.width {
                    let offset = (y * size.width + x) * 4
                    guard row[x] > Int16(bytes[offset + 3]) else { continue }
                    let pixel = bytes.load(fromByteOffset: offset, as: SIMD4<UInt8>.self)
                    bytes.storeBytes(
                        of: backed(pixel, by: color, upTo: UInt8(row[x])), toByteOffset: offset,
                        as: SIMD4<UInt8>.self)
                }
            }
        }
        return outlined
    }
}

/// A straight pixel in front of enough of `color` to bring its alpha up to `alpha`.
@inline(__always)
private func backed(
    _ pixel: SIMD4<UInt8>, by color: SIMD3<UInt8>, upTo alpha: UInt8
) -> SIMD4<UInt8> {
    guard pixel.w > 0 else { return SIMD4(color, alpha) }
    let (own, whole) = (UInt32(pixel.w), UInt32(alpha))
    func mixed(_ front: UInt8, _ back: UInt8) -> UInt8 {
        UInt8((UInt32(front) * own + UInt32(back) * (whole - own) + whole / 2) / whole)
    }
    return SIMD4(
        mixed(pixel.x, color.x), mixed(pixel.y, color.y), mixed(pixel.z, color.z), alpha)
}
