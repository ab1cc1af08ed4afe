/// Finds the colours that represent a histogram.
///
/// The cube is cut where that lowers the sum of squared errors most, as in X. Wu, "Efficient
/// statistical computations for optimal color quantization" (Graphics Gems II, 1991), here over a
/// list of cells rather than tables of moments; then k-means moves the colours to their best places.
enum ColorCut {
    private static let rounds = 3
    private static let levels = 32

    /// Up to `countMax` colours, as represented by `GIFColor`.
    static func palette(of cells: [ColorCell], countMax: Int) -> [UInt32] {
        var cells = cells
        var palette = boxes(&cells, countMax).map { range in mean(of: cells[range]) }
        for _ in 0..<rounds { palette = moved(palette, cells) }
        return snapped(palette, cells)
    }

    /// A run of cells, and where to cut it.
    private struct Box {
        var range: Range<Int>
        var axis = 0
        /// Cells below this level go to one side.
        var level = 0
        /// How much the cut lowers the sum of squared errors.
        var gain = 0.0

        /// Finds the best cut from the sums of cells that lie on one level of an axis.
        init(_ range: Range<Int>, _ cells: [ColorCell]) {
            self.range = range
            var bins = [SIMD4<Int64>](repeating: .zero, count: 3 * levels)
            for cell in cells[range] {
                let (mean, sum) = (cell.mean, SIMD4<Int64>(truncatingIfNeeded: cell.sum))
                for axis in 0..<3 { bins[axis * levels + Int(mean[axis]) >> 3] &+= sum }
            }
            let total = bins[..<levels].reduce(SIMD4.zero, &+)
            for axis in 0..<3 {
                var below = SIMD4<Int64>.zero
                for level in 1..<levels {
                    below &+= bins[axis * levels + level - 1]
                    note(gain: Self.gain(below, total), axis, level)
                }
            }
        }

        private mutating func note(gain: Double, _ axis: Int, _ level: Int) {
            if gain > self.gain { (self.gain, self.axis, self.level) = (gain, axis, level) }
        }

        /// n1 n2 / n times the squared distance of the two means.
        private static func gain(_ below: SIMD4<Int64>, _ total: SIMD4<Int64>) -> Double {
            let above = total &- below
            guard below.w > 0, above.w > 0 else { return 0 }
            let (a, b) = (SIMD4<Double>(below), SIMD4<Double>(above))
            var distance = a / a.w - b / b.w
            distance.w = 0
            return (distance * distance).sum() * a.w * b.w / (a.w + b.w)
        }
    }

    /// Sorts the cells into runs of like colours.
    private static func boxes(_ cells: inout [ColorCell], _ countMax: Int) -> [Range<Int>] {
        var boxes = [Box(0..<cells.count, cells)]
        while boxes.count < countMax,
            let best = boxes.indices.max(by: { boxes[$0].gain < boxes[$1].gain }),
            boxes[best].gain > 0
        {
            let box = boxes[best]
            let middle = cells[box.range].partition { Int($0.mean[box.axis]) >> 3 >= box.level }
            boxes[best] = Box(box.range.lowerBound..<middle, cells)
            boxes.append(Box(middle..<box.range.upperBound, cells))
        }
        return boxes.map(\.range)
    }

    private static func mean(of cells: ArraySlice<ColorCell>) -> UInt32 {
        mean(cells.reduce(SIMD4<Int64>.zero) { $0 &+ SIMD4<Int64>(truncatingIfNeeded: $1.sum) })
    }

    private static func mean(_ sum: SIMD4<Int64>) -> UInt32 {
        GIFColor.opaque(SIMD4<Int32>(truncatingIfNeeded: (sum &+ sum.w / 2) / sum.w))
    }

    /// Moves each colour to the mean of the cells that are nearest to it.
    private static func moved(_ palette: [UInt32], _ cells: [ColorCell]) -> [UInt32] {
        var nearest = NearestColor(palette)
        var sums = [SIMD4<Int64>](repeating: .zero, count: palette.count)
        for cell in cells {
            sums[nearest.index(of: cell.mean)] &+= SIMD4<Int64>(truncatingIfNeeded: cell.sum)
        }
        return zip(palette, sums).map { color, sum in sum.w > 0 ? mean(sum) : color }
    }

    /// Makes a colour exact if most of its pixels have the same colour.
    ///
    /// This keeps a white background white, although edges next to it are nearly white too.
    private static func snapped(_ palette: [UInt32], _ cells: [ColorCell]) -> [UInt32] {
        var nearest = NearestColor(palette)
        var pixels = [Int32](repeating: 0, count: palette.count)
        var favorites = [(color: UInt32, votes: Int32)](repeating: (0, 0), count: palette.count)
        for cell in cells {
            let index = nearest.index(of: cell.mean)
            pixels[index] += cell.sum.w
            if cell.votes > favorites[index].votes {
                favorites[index] = (cell.favorite, cell.votes)
            }
        }
        return palette.indices.map { index in
            favorites[index].votes > pixels[index] / 2 ? favorites[index].color : palette[index]
        }
    }
}
