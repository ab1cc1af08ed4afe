/// Finds the nearest of some colours, in the space of `PaletteColor`.
///
/// The space is divided into cells of 16 levels a side. For each cell, only the colours that are nearest
/// to some point of it are compared; they are found on the first lookup in the cell.
struct NearestPlace {
    private static let shift: Float = 1.0 / 16

    private let places: [SIMD4<Float>]
    /// The start of a cell's candidates; -1 while they are unknown.
    private var starts = [Int32](repeating: -1, count: 1 << 16)
    /// The colours of each known cell, one after the other. `indices` holds their indices, the last one
    /// of a cell as -1 - index.
    private var candidates: [SIMD4<Float>] = []
    private var indices: [Int32] = []

    /// Creates a search among at least one place.
    init(_ places: [SIMD4<Float>]) {
        precondition(!places.isEmpty)
        self.places = places
    }

    /// The index of the place nearest to `place`, which must be that of a possible colour.
    mutating func index(of place: SIMD4<Float>) -> Int {
        // Red, green and blue reach from -127.5 to 127.5, alpha from 0 to 221.
        let steps = (place + SIMD4(128, 128, 128, 0)) * Self.shift
        let cell = truncated(steps).clamped(
            lowerBound: .zero, upperBound: SIMD4(repeating: 15))
        let key = Int(cell.x | cell.y << 4 | cell.z << 8 | cell.w << 12)
        if starts[key] < 0 { explore(key, SIMD4<Float>(cell) * 16 - SIMD4(128, 128, 128, 0)) }
        return candidates.withUnsafeBufferPointer { candidates in
            indices.withUnsafeBufferPointer { indices in
                var next = Int(starts[key])
                var (best, distance) = (0, Float.infinity)
                while true {
                    let (index, found) = (indices[next], squaredDistance(candidates[next], place))
                    if found < distance {
                        (best, distance) = (index < 0 ? -1 - Int(index) : Int(index), found)
                    }
                    if index < 0 { return best }
                    next += 1
                }
            }
        }
    }

    /// Keeps the colours that may be nearer than all others somewhere in the cell.
    private mutating func explore(_ key: Int, _ low: SIMD4<Float>) {
        let high = low + 16
        let bound = places.reduce(Float.infinity) { bound, place in
            let farthest = greater(high - place, place - low)
            return min(bound, (farthest * farthest).sum())
        }
        starts[key] = Int32(candidates.count)
        for (index, place) in places.enumerated() {
            let outside = greater(greater(low - place, place - high), .zero)
            guard (outside * outside).sum() <= bound else { continue }
            candidates.append(place)
            indices.append(Int32(index))
        }
        indices[indices.count - 1] = -1 - indices[indices.count - 1]
    }
}
