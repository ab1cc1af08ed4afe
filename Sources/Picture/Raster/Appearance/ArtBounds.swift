import StickerValues

/// The smallest rectangle around the visible art of a picture.
struct ArtBounds: Hashable {
    /// The least alpha of a visible pixel; the last shades of soft edges do not count.
    static let alphaMin: UInt8 = 16

    let columns: Range<Int>
    let rows: Range<Int>

    /// Finds the art in `picture`; `nil` if there is none.
    init?(of picture: borrowing PixelBuffer) {
        let (size, stride) = (picture.size, picture.stride)
        let found = picture.withUnsafeBytes { bytes -> (columns: Range<Int>, rows: Range<Int>)? in
            func isSeen(_ x: Int, _ y: Int) -> Bool {
                bytes[y * stride + x * 4 + 3] >= Self.alphaMin
            }
            func hasArt(_ y: Int) -> Bool { (0..<size.width).contains { isSeen($0, y) } }
            guard let top = (0..<size.height).first(where: hasArt),
                let bottom = (top..<size.height).last(where: hasArt)
            else { return nil }
            var (left, right) = (size.width, -1)
            for y in top...bottom {
                left = (0..<left).first { isSeen($0, y) } ?? left
                right = (right + 1..<size.width).last { isSeen($0, y) } ?? right
            }
            return (left..<right + 1, top..<bottom + 1)
        }
        guard let found else { return nil }
        (columns, rows) = found
    }

    /// Transparent pixels between the art and the nearest edge of a canvas of `size`.
    func margin(on size: PixelSize) -> Int {
        min(
            columns.lowerBound, rows.lowerBound, size.width - columns.upperBound,
            size.height - rows.upperBound)
    }
}
