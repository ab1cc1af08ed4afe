import StickerValues

extension PixelBuffer {
    /// Draws another picture over this one, both with straight alpha, as sRGB values: Porter and Duff's source over
    /// destination ("Compositing Digital Images", SIGGRAPH 1984), exact to half a step.
    ///
    /// - Parameters:
    ///   - mark: the picture; parts outside are cut off.
    ///   - x: the column of its left edge.
    ///   - y: the row of its upper edge.
    ///   - opacity: the factor of its alpha, 0 to 255.
    public mutating func blend(_ mark: borrowing PixelBuffer, x: Int, y: Int, opacity: Int) {
        let columns = max(0, x)..<max(max(0, x), min(size.width, x + mark.size.width))
        let rows = max(0, y)..<max(max(0, y), min(size.height, y + mark.size.height))
        let (width, markWidth) = (size.width, mark.size.width)
        withUnsafeMutableBytes { own in
            mark.withUnsafeBytes { above in
                for row in rows {
                    for column in columns {
                        let source = ((row - y) * markWidth + column - x) * 4
                        let place = (row * width + column) * 4
                        own.storeBytes(
                            of: Self.over(
                                above.load(fromByteOffset: source, as: SIMD4<UInt8>.self),
                                own.load(fromByteOffset: place, as: SIMD4<UInt8>.self), opacity),
                            toByteOffset: place, as: SIMD4<UInt8>.self)
                    }
                }
            }
        }
    }

    private static func over(
        _ source: SIMD4<UInt8>, _ destination: SIMD4<UInt8>, _ opacity: Int
    ) -> SIMD4<UInt8> {
        // Alphas in 255ths of 255ths, so that nothing is rounded before the end.
        let above = UInt32(source.w) * UInt32(opacity)
        guard above > 0 else { return destination }
        let below = UInt32(destination.w) * (65025 - above) / 255
        let alpha = above + below
        let color =
            (SIMD4<UInt32>(truncatingIfNeeded: source) &* above
                &+ SIMD4<UInt32>(truncatingIfNeeded: destination) &* below
                &+ SIMD4(repeating: alpha / 2)) / alpha
        var result = SIMD4<UInt8>(truncatingIfNeeded: color)
        result.w = UInt8((alpha + 127) / 255)
        return result
    }

    /// Sets every pixel to one colour.
    public mutating func fill(_ color: SIMD4<UInt8>) {
        withUnsafeMutableBytes { bytes in
            for offset in Swift.stride(from: 0, to: bytes.count, by: 4) {
                bytes.storeBytes(of: color, toByteOffset: offset, as: SIMD4<UInt8>.self)
            }
        }
    }

    /// Makes premultiplied pixels straight. Invisible ones get no colour.
    public mutating func unpremultiply() {
        let count = size.pixelCount
        withUnsafeMutableBytes { bytes in
            for offset in Swift.stride(from: 0, to: count * 4, by: 4) {
                let alpha = Int(bytes[offset + 3])
                for channel in offset..<offset + 3 {
                    bytes[channel] =
                        alpha == 0
                        ? 0 : UInt8(min(255, (Int(bytes[channel]) * 255 + alpha / 2) / alpha))
                }
            }
        }
    }
}
