/// The filters of rows (PNG specification, third edition, section 9): each byte becomes its difference from a
/// prediction by its neighbours.
enum PNGFilter: UInt8, CaseIterable {
    case none, sub, up, average, paeth

    /// Filters rows for compression.
    ///
    /// - Parameters:
    ///   - rows: the samples, top row first.
    ///   - stride: bytes of a row.
    ///   - pixelBytes: bytes of a pixel, at least 1.
    ///   - isAdaptive: whether each row gets the filter that leaves the smallest sum of differences, as section 12.7
    ///     recommends; else none.
    /// - Returns: the rows, each after the number of its filter.
    static func filtered(
        _ rows: [UInt8], stride: Int, pixelBytes: Int, isAdaptive: Bool
    ) -> [UInt8] {
        let height = rows.count / stride
        // A row of zeros above the first, and a pixel of zeros before each row.
        let padded = pixelBytes + stride
        var above = [UInt8](repeating: 0, count: padded)
        var current = above
        var trial = [UInt8](repeating: 0, count: stride)
        var filtered: [UInt8] = []
        filtered.reserveCapacity(height * (stride + 1))
        for start in Swift.stride(from: 0, to: height * stride, by: stride) {
            current.replaceSubrange(pixelBytes..., with: rows[start..<(start + stride)])
            let filters = isAdaptive ? allCases : [.none]
            var best: (filter: PNGFilter, sum: UInt32)?
            let place = filtered.count
            for filter in filters {
                let sum = filter.apply(current, above, pixelBytes, &trial)
                if let best, best.sum <= sum { continue }
                best = (filter, sum)
                filtered.replaceSubrange(place..., with: CollectionOfOne(filter.rawValue))
                filtered += trial
            }
            swap(&above, &current)
        }
        return filtered
    }

    /// Writes the differences of a row.
    /// - Returns: the sum of their magnitudes as signed bytes.
    func apply(
        _ current: [UInt8], _ above: [UInt8], _ pixelBytes: Int, _ differences: inout [UInt8]
    ) -> UInt32 {
        switch self {
        case .none:
            Self.apply(current, above, pixelBytes, &differences) { _, _, _ in 0 }
        case .sub:
            Self.apply(current, above, pixelBytes, &differences) { left, _, _ in left }
        case .up:
            Self.apply(current, above, pixelBytes, &differences) { _, up, _ in up }
        case .average:
            Self.apply(current, above, pixelBytes, &differences) { left, up, _ in
                (left & up) &+ ((left ^ up) >> 1)
            }
        case .paeth:
            Self.apply(current, above, pixelBytes, &differences, Self.nearest)
        }
    }

    /// Simple enough for the compiler to work on many bytes at a time.
    @inline(__always)
    private static func apply(
        _ current: [UInt8], _ above: [UInt8], _ pixelBytes: Int, _ differences: inout [UInt8],
        _ foretold: (_ left: UInt8, _ up: UInt8, _ upLeft: UInt8) -> UInt8
    ) -> UInt32 {
        var sum: UInt32 = 0
        let count = differences.count
        precondition(current.count == count + pixelBytes && above.count == current.count)
        current.withUnsafeBufferPointer { current in
            above.withUnsafeBufferPointer { above in
                differences.withUnsafeMutableBufferPointer { differences in
                    for index in 0..<count {
                        let difference =
                            current[index &+ pixelBytes]
                            &- foretold(current[index], above[index &+ pixelBytes], above[index])
                        differences[index] = difference
                        sum &+= UInt32(difference < 128 ? difference : 0 &- difference)
                    }
                }
            }
        }
        return sum
    }

    /// The neighbour nearest to left + up - upLeft, which lies between left and up if upLeft does not; in a tie left,
    /// then up. Bytes suffice for its distances: upLeft can be the nearest only if it lies between, and then they do
    /// not add up.
    @inline(__always)
    private static func nearest(_ left: UInt8, _ up: UInt8, _ upLeft: UInt8) -> UInt8 {
        let (toLeft, toUp) = (distance(up, upLeft), distance(left, upLeft))
        let (nearer, least) = toLeft <= toUp ? (left, toLeft) : (up, toUp)
        let isBetween = (up >= upLeft) != (left >= upLeft)
        return isBetween && distance(toLeft, toUp) < least ? upLeft : nearer
    }

    @inline(__always)
    private static func distance(_ one: UInt8, _ other: UInt8) -> UInt8 {
        one > other ? one &- other : other &- one
    }
}
