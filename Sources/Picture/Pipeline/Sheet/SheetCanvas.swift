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
        let behind = SIMD3<UInt32>(truncatingIfNeeded: ground)
        for y in 0..<picture.size.height {
            for x in 0..<picture.size.width {
                let pixel = picture[x, y]
                let alpha = UInt32(pixel.w)
                let color = SIMD3<UInt32>(UInt32(pixel.x), UInt32(pixel.y), UInt32(pixel.z))
                let sum = color &* alpha &+ behind &* (255 - alpha) &+ 127
                pixels[left + x, top + y] = SIMD4(SIMD3(truncatingIfNeeded: sum / 255), 255)
            }
        }
    }

    /// Writes words in letters of twice their size, or of their own size if they would be too long, and cuts longer
    /// ones.
    ///
    /// - Returns: the distance to the next words.
    @discardableResult
    mutating func write(
        _ words: String, x left: Int, y top: Int, width: Int, _ color: SIMD3<UInt8>
    ) -> Int {
        let scale = words.count * PixelFont.advance * 2 <= width ? 2 : 1
        let fitting = words.prefix(max(0, width) / (PixelFont.advance * scale))
        for (index, character) in fitting.enumerated() {
            for y in 0..<PixelFont.height {
                for x in 0..<PixelFont.width where PixelFont.isSet(character, x, y) {
                    let dot = SheetArea(
                        x: left + (index * PixelFont.advance + x) * scale, y: top + y * scale,
                        width: scale, height: scale)
                    fill(dot, color)
                }
            }
        }
        return (fitting.count + 2) * PixelFont.advance * scale
    }
}
