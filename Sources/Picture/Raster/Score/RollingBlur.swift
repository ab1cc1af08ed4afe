import StickerValues

/// A Gaussian blur with a standard deviation of 1.5 samples over rows that come one by one.
///
/// Nine taps across, nine down. Left and right of a row are zeros; above the first row and below the last
/// one, rows are mirrored. All this matches SSIMULACRA2 0.3.0, so that scores agree.
struct RollingBlur {
    /// Rows that must follow before a row can be blurred.
    static let radius = 4
    /// Rows that take part in a blurred one.
    static let window = 2 * radius + 1
    /// exp(-x² / 4.5) for x = 0...4, all nine adding up to 1.
    private static let weights: (Float, Float, Float, Float, Float) = (
        0.266_559_97, 0.213_444_54, 0.109_586_08, 0.036_074_97, 0.007_614_42
    )

    private let height: Int
    /// Blurred across; row y is stored in row y % `window`.
    private let rows: Plane

    init(size: PixelSize) {
        height = size.height
        rows = Plane(width: size.width, height: Self.window)
    }

    /// Takes row `y`, with margins set; it is 0 outside `columns`.
    func append(_ source: Row, y: Int, columns: Range<Int>) {
        let target = rows[y % Self.window]
        let weights = Self.weights
        target.update(repeating: 0, count: rows.paddedWidth)
        for x in stride(from: columns.lowerBound, to: columns.upperBound, by: Lanes.scalarCount) {
            var sum = source[lanes: x] * weights.0
            sum += (source[lanes: x - 1] + source[lanes: x + 1]) * weights.1
            sum += (source[lanes: x - 2] + source[lanes: x + 2]) * weights.2
            sum += (source[lanes: x - 3] + source[lanes: x + 3]) * weights.3
            sum += (source[lanes: x - 4] + source[lanes: x + 4]) * weights.4
            target[lanes: x] = sum
        }
    }

    /// Sets `columns` of `target` to row `y`; the rows of its window must have been appended.
    func blur(row y: Int, columns: Range<Int>, into target: Row) {
        let weights = Self.weights
        let center = row(y)
        let (above1, above2) = (row(y - 1), row(y - 2))
        let (above3, above4) = (row(y - 3), row(y - 4))
        let (below1, below2) = (row(y + 1), row(y + 2))
        let (below3, below4) = (row(y + 3), row(y + 4))
        for x in stride(from: columns.lowerBound, to: columns.upperBound, by: Lanes.scalarCount) {
            var sum = center[lanes: x] * weights.0
            sum += (above1[lanes: x] + below1[lanes: x]) * weights.1
            sum += (above2[lanes: x] + below2[lanes: x]) * weights.2
            sum += (above3[lanes: x] + below3[lanes: x]) * weights.3
            sum += (above4[lanes: x] + below4[lanes: x]) * weights.4
            target[lanes: x] = sum
        }
    }

    private func row(_ y: Int) -> Row {
        rows[mirrored(y) % Self.window]
    }

    private func mirrored(_ y: Int) -> Int {
        if y < 0 { return min(-1 - y, height - 1) }
        return y < height ? y : max(2 * height - 1 - y, 0)
    }

    /// The rows that can be blurred once `count` of `height` rows are there, but not before.
    static func rowsReady(after count: Int, of height: Int) -> Range<Int> {
        let first = max(count - 1 - radius, 0)
        guard count < height else { return first..<height }
        return first..<(count > radius ? first + 1 : first)
    }
}
