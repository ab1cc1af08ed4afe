import StickerValues

/// The art of a picture in square cells, about as fine as a chat shows it.
struct CellGrid {
    /// Cells along the longer side of the canvas.
    private static let perSide = 128

    let columns, rows: Int
    /// The mean of each cell, row by row: premultiplied red, green, blue and alpha, 0...255.
    let colors: [SIMD4<UInt8>]

    /// Computes the means over `art`, where the first cell begins, so that its straight edges are those of cells.
    init(of picture: borrowing PixelBuffer, _ art: ArtBounds) {
        let side = max(1, picture.size.longSide / Self.perSide)
        columns = (art.columns.count + side - 1) / side
        rows = (art.rows.count + side - 1) / side
        let stride = picture.stride
        var colors: [SIMD4<UInt8>] = []
        colors.reserveCapacity(columns * rows)
        picture.withUnsafeBytes { bytes in
            for top in Swift.stride(from: art.rows.lowerBound, to: art.rows.upperBound, by: side) {
                let height = min(side, art.rows.upperBound - top)
                for left in Swift.stride(
                    from: art.columns.lowerBound, to: art.columns.upperBound, by: side)
                {
                    let width = min(side, art.columns.upperBound - left)
                    colors.append(mean(bytes, top * stride + left * 4, width, height, stride))
                }
            }
        }
        self.colors = colors
    }
}

/// The mean of a rectangle of straight pixels that starts at `offset`, premultiplied.
@inline(__always)
private func mean(
    _ bytes: UnsafeRawBufferPointer, _ offset: Int, _ width: Int, _ height: Int, _ stride: Int
) -> SIMD4<UInt8> {
    var sum = SIMD4<UInt32>.zero
    for y in 0..<height {
        for x in 0..<width {
            let pixel = bytes.loadUnaligned(
                fromByteOffset: offset + y * stride + x * 4, as: SIMD4<UInt8>.self)
            var weight = SIMD4<UInt32>(repeating: UInt32(pixel.w))
            weight.w = 255
            sum &+= SIMD4<UInt32>(truncatingIfNeeded: pixel) &* weight
        }
    }
    let weight = UInt32(255 * width * height)
    let mean = (sum &+ weight / 2) / weight
    return SIMD4(truncatingIfNeeded: mean)
}
