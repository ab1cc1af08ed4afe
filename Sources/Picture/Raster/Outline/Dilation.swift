import StickerValues

/// Grows the shape of a picture by a disc: the alpha of each pixel becomes the maximum over the discs around all
/// pixels, of their alpha times the disc's coverage (greyscale dilation, Serra 1982).
///
/// Soft edges stay soft, at any angle. Each row is spread across by every row of the disc, from the narrowest to the
/// widest, and raises the rows above and below it, so that the cost grows with the radius and not with its square.
struct Dilation {
    private let disc: DilationDisc
    /// The size of the grown picture, larger by `disc.radius` on every side.
    private let size: PixelSize
    private let grown: AlphaPlane
    /// The row being spread.
    private let line: AlphaPlane

    /// Grows the alpha of `picture`.
    ///
    /// - Returns: a plane that is larger than the picture by `disc.radius` on every side.
    static func grow(_ picture: borrowing PixelBuffer, by disc: DilationDisc) -> AlphaPlane {
        let dilation = Dilation(picture.size, disc)
        for y in 0..<picture.size.height {
            if let columns = dilation.take(picture, row: y) {
                dilation.spread(columns, ofRow: y + disc.radius)
            }
        }
        return dilation.grown
    }

    private init(_ size: PixelSize, _ disc: DilationDisc) {
        self.disc = disc
        self.size = size.grown(by: disc.radius)
        grown = AlphaPlane(size: self.size, margin: 0)
        line = AlphaPlane(size: PixelSize(width: self.size.width, height: 1), margin: disc.radius)
    }

    /// Reads a row of the picture.
    ///
    /// - Returns: the columns that can change; `nil` if the row is invisible.
    private func take(_ picture: borrowing PixelBuffer, row y: Int) -> Range<Int>? {
        let (line, radius) = (line[0], disc.radius)
        let start = y * picture.stride + 3
        var (first, end) = (picture.size.width, 0)
        picture.withUnsafeBytes { bytes in
            for x in 0..<picture.size.width {
                let alpha = bytes[start + x * 4]
                line[radius + x] = Int16(alpha)
                if alpha > 0 {
                    first = min(first, x)
                    end = x + 1
                }
            }
        }
        return first < end ? first..<end + 2 * radius : nil
    }

    private func spread(_ columns: Range<Int>, ofRow y: Int) {
        let (line, radius) = (line[0], disc.radius)
        for x in stride(
            from: columns.lowerBound, to: columns.upperBound, by: AlphaPlane.Vector.scalarCount)
        {
            var whole = AlphaPlane.Vector.zero
            var distance = 0
            for away in stride(from: radius, through: 0, by: -1) {
                let row = disc.rows[away]
                while distance <= row.whole {
                    whole = larger(
                        whole, larger(line[vector: x - distance], line[vector: x + distance]))
                    distance += 1
                }
                var spread = whole
                for (step, covered) in row.rim.enumerated() {
                    let both = larger(
                        line[vector: x - distance - step], line[vector: x + distance + step])
                    spread = larger(spread, (both &* covered) &>> 7)
                }
                raise(y - away, x, to: spread)
                raise(y + away, x, to: spread)
            }
        }
    }

    @inline(__always)
    private func raise(_ y: Int, _ x: Int, to alpha: AlphaPlane.Vector) {
        let row = grown[y]
        row[vector: x] = larger(row[vector: x], alpha)
    }
}
