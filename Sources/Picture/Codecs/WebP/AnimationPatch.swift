public import StickerRaster
import StickerValues

/// The drawn part of one frame of a lossy animation: a rectangle, in which squares that already show the right picture
/// may be left out.
public struct AnimationPatch: Sendable {
    /// The side of a square: half a macroblock, the unit that alpha plane and colours can leave out.
    static let side = 8

    /// Its place; the origin is even, as the format requires.
    public let area: PixelRectangle
    /// Whether it is drawn over the shown picture, so that squares can be left out. A patch that changes translucent
    /// pixels must replace its whole area instead.
    public let isBlended: Bool
    /// For each square of the canvas, row by row, whether it is drawn.
    public let drawn: [Bool]
    /// The visible detail of each drawn square: the differences of green and of alpha between neighbours in a row,
    /// added up.
    public let detail: [Float]

    /// The number of drawn squares.
    public var drawnCount: Int { drawn.count { $0 } }

    /// The pixels of `canvas` to encode; those left out are transparent.
    /// Squares left out are flat. Those beside drawn squares have the colour of their own middle: the decoder smooths
    /// across the edges of blocks, so a different colour would show as a thin line.
    public func pixels(of canvas: borrowing PixelBuffer) -> PixelBuffer {
        var patch = PixelBuffer(size: area.size)
        let (area, isBlended, columns) = (area, isBlended, canvas.size.squareColumns)
        let flat = isBlended ? flatColors(of: canvas) : []
        canvas.withUnsafeBytes { source in
            patch.withUnsafeMutableBytes { target in
                let source = source.bindMemory(to: UInt32.self)
                let target = target.bindMemory(to: UInt32.self)
                for y in 0..<area.height {
                    let row = (area.y + y) * canvas.size.width + area.x
                    let squares = (area.y + y) / Self.side * columns
                    for x in 0..<area.width {
                        var pixel = source[row + x]
                        if isBlended {
                            let square = squares + (area.x + x) / Self.side
                            if !drawn[square] { pixel = flat[square] }
                            if pixel >> 24 != 255 { pixel &= 0xFF_FFFF }
                        }
                        target[y * area.width + x] = pixel
                    }
                }
            }
        }
        return patch
    }

    /// For each square left out, the transparent colour that fills it.
    private func flatColors(of canvas: borrowing PixelBuffer) -> [UInt32] {
        let (columns, size) = (canvas.size.squareColumns, canvas.size)
        let near = nearDrawn(size)
        var last: UInt32 = 0
        return canvas.withUnsafeBytes { bytes in
            let pixels = bytes.bindMemory(to: UInt32.self)
            return drawn.indices.map { square in
                guard near[square] else { return last }
                let x = min(square % columns * Self.side + Self.side / 2, size.width - 1)
                let y = min(square / columns * Self.side + Self.side / 2, size.height - 1)
                last = pixels[y * size.width + x] & 0xFF_FFFF
                return last
            }
        }
    }

    /// Whether each square is drawn or has a neighbour that is.
    private func nearDrawn(_ size: PixelSize) -> [Bool] {
        let (columns, rows) = (size.squareColumns, size.squareRows)
        var near = drawn
        for square in drawn.indices where drawn[square] {
            let (column, row) = (square % columns, square / columns)
            for y in max(0, row - 1)...min(rows - 1, row + 1) {
                for x in max(0, column - 1)...min(columns - 1, column + 1) {
                    near[y * columns + x] = true
                }
            }
        }
        return near
    }
}

extension PixelSize {
    /// Squares in a row of a canvas, the last of which may be cut.
    var squareColumns: Int { (width + AnimationPatch.side - 1) / AnimationPatch.side }
    var squareRows: Int { (height + AnimationPatch.side - 1) / AnimationPatch.side }
}
