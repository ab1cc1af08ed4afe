import StickerRaster
import StickerValues

/// A rectangle of a sheet in pixels.
struct SheetArea {
    var x, y, width, height: Int

    /// The area with `pixels` more on every side.
    func grown(by pixels: Int) -> SheetArea {
        SheetArea(
            x: x - pixels, y: y - pixels, width: width + 2 * pixels, height: height + 2 * pixels)
    }
}

/// The pixels of a sheet while they are drawn.
struct SheetCanvas: ~Copyable {
    private(set) var pixels: PixelBuffer

    /// Creates a sheet of one colour.
    init(size: PixelSize, _ color: SIMD3<UInt8>) {
        pixels = PixelBuffer(size: size)
        fill(SheetArea(x: 0, y: 0, width: size.width, height: size.height), color)
    }

    mutating func fill(_ area: SheetArea, _ color: SIMD3<UInt8>) {
        for y in area.y..<area.y + area.height {
            for x in area.x..<area.x + area.width { pixels[x, y] = SIMD4(color, 255) }
        }
    }

    /// Draws a frame of `width` pixels around an area.
    mutating func frame(_ area: SheetArea, width: Int, _ color: SIMD3<UInt8>) {
        let outer = area.grown(by: width)
        let sides = [
            SheetArea(x: outer.x, y: outer.y, width: outer.width, height: width),
            SheetArea(x: outer.x, y: area.y + area.height, width: outer.width, height: width),
            SheetArea(x: outer.x, y: area.y, width: width, height: area.height),
            SheetArea(x: area.x + area.width, y: area.y, width: width, height: area.height),
        ]
        for side in sides { fill(side, color) }
    }

    /// Draws a picture on a square of one colour, composed as in chats.
    mutating func paste(
        _ picture: borrowing PixelBuffer, x left: Int, y top: Int, on ground: SIMD3<UInt8>
    ) {
        for y in 0..<picture.size.height {
            for x in 0..<picture.size.width {
                let pixel = picture[x, y]
                pixels[left + x, top + y] = SIMD4(
                    Self.mixed(SIMD3(pixel.x, pixel.y, pixel.z), ground, alpha: pixel.w), 255)
            }
        }
    }

    /// Lays a colour over the sheet where `shape` is, as far as it is opaque; parts beyond the sheet are left out.
    mutating func ink(
        _ shape: borrowing PixelBuffer, x left: Int, y top: Int, _ color: SIMD3<UInt8>
    ) {
        for y in max(0, -top)..<max(0, -top, min(shape.size.height, pixels.size.height - top)) {
            for x in max(0, -left)..<max(0, -left, min(shape.size.width, pixels.size.width - left))
            {
                let behind = pixels[left + x, top + y]
                pixels[left + x, top + y] = SIMD4(
                    Self.mixed(
                        color, SIMD3(behind.x, behind.y, behind.z), alpha: shape[x, y].w), 255)
            }
        }
    }

    private static func mixed(
        _ front: SIMD3<UInt8>, _ behind: SIMD3<UInt8>, alpha: UInt8
    ) -> SIMD3<UInt8> {
        let alpha = UInt32(alpha)
        let sum =
            SIMD3<UInt32>(truncatingIfNeeded: front) &* alpha
            &+ SIMD3<UInt32>(truncatingIfNeeded: behind) &* (255 - alpha) &+ 127
        return SIMD3(truncatingIfNeeded: sum / 255)
    }
}
