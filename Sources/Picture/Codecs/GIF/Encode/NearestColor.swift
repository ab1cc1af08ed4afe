/// Finds the nearest colour of a palette, by red, green and blue alike.
///
/// The colour cube is divided into cells of 16 levels a side. For each cell, only the colours that are
/// nearest to some point of it are compared; they are found on the first lookup in the cell.
struct NearestColor {
    private let palette: [SIMD4<Int32>]
    /// Where the candidates of a cell begin; -1 while they are unknown.
    private var starts = [Int32](repeating: -1, count: 1 << 12)
    /// For each known cell a count, then that many colours with their places in the fourth lane.
    private var candidates: [SIMD4<Int32>] = []

    /// Creates a search among 1 to 255 colours, represented as in `GIFColor`.
    init(_ colors: [UInt32]) {
        precondition(1...255 ~= colors.count)
        palette = colors.map(GIFColor.channels)
    }

    /// The place in the palette of the colour nearest to `color`, whose channels are 0...255.
    mutating func index(of color: SIMD4<Int32>) -> Int {
        let high = color &>> 4
        let cell = Int(high.x | high.y << 4 | high.z << 8)
        if starts[cell] < 0 { explore(cell, from: high &<< 4) }
        let start = Int(starts[cell])
        var best = (index: Int32(0), distance: Int32.max)
        candidates.withUnsafeBufferPointer { candidates in
            for place in (start + 1)...(start + Int(candidates[start].w)) {
                let candidate = candidates[place]
                let (red, green, blue) = (
                    candidate.x &- color.x, candidate.y &- color.y, candidate.z &- color.z
                )
                let distance = red &* red &+ green &* green &+ blue &* blue
                if distance < best.distance { best = (candidate.w, distance) }
            }
        }
        return Int(best.index)
    }

    /// Keeps the colours that may be nearer than all others somewhere in the cell.
    private mutating func explore(_ cell: Int, from low: SIMD4<Int32>) {
        let high = low &+ SIMD4(15, 15, 15, 0)
        let worst = palette.map { color in
            let (a, b) = (color &- low, high &- color)
            return squaredLength(pointwiseMax(pointwiseMax(a, 0 &- a), pointwiseMax(b, 0 &- b)))
        }
        let bound = worst.min() ?? 0
        starts[cell] = Int32(candidates.count)
        candidates.append(.zero)
        let start = candidates.count
        for (index, color) in palette.enumerated() {
            let outside = pointwiseMax(pointwiseMax(low &- color, color &- high), .zero)
            guard squaredLength(outside) <= bound else { continue }
            candidates.append(SIMD4(color.x, color.y, color.z, Int32(index)))
        }
        candidates[start - 1].w = Int32(candidates.count - start)
    }
}

/// The sum of the squares of the lanes.
func squaredLength(_ vector: SIMD4<Int32>) -> Int32 { (vector &* vector).wrappedSum() }
