extension PixelBuffer {
    /// The shape of the picture in one colour.
    public consuming func filled(with color: SIMD3<UInt8>) -> PixelBuffer {
        recolored { SIMD4(color, $0.w) }
    }

    /// The picture with its brightness as shades of `color`: white becomes the colour, black stays black.
    ///
    /// Brightness is the luma of ITU-R BT.709, of the sRGB samples.
    public consuming func colorized(by color: SIMD3<UInt8>) -> PixelBuffer {
        let shades = (0...255).map { luma in
            let levels = SIMD3<Int32>(truncatingIfNeeded: color) &* Int32(luma) &+ 127
            return SIMD3<UInt8>(truncatingIfNeeded: levels / 255)
        }
        return recolored { pixel in
            let (red, green, blue) = (UInt32(pixel.x), UInt32(pixel.y), UInt32(pixel.z))
            // 0.2126, 0.7152 and 0.0722 in 65536ths.
            let luma = (red * 13933 + green * 46871 + blue * 4732 + 32768) >> 16
            return SIMD4(shades[Int(luma)], pixel.w)
        }
    }

    /// Recolours every visible pixel.
    private consuming func recolored(
        _ recolor: (SIMD4<UInt8>) -> SIMD4<UInt8>
    ) -> PixelBuffer {
        var picture = self
        picture.withUnsafeMutableBytes { bytes in
            for offset in Swift.stride(from: 0, to: bytes.count, by: 4) where bytes[offset + 3] > 0
            {
                let pixel = bytes.load(fromByteOffset: offset, as: SIMD4<UInt8>.self)
                bytes.storeBytes(of: recolor(pixel), toByteOffset: offset, as: SIMD4<UInt8>.self)
            }
        }
        return picture
    }
}
