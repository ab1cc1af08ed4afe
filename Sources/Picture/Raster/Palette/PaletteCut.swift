/// Finds a few colours that represent many.
///
/// The space is cut where that lowers the sum of squared errors most, as in X. Wu, "Efficient statistical computations
/// for optimal color quantization" (Graphics Gems II, 1991), here over a list of cells and in four dimensions; then
/// k-means moves the colours to their best places.
enum PaletteCut {
    private static let rounds = 4
    private static let levels = 32

    /// The colours, straight RGBA; the first `opaqueCount` are opaque.
    struct Palette {
        var colors: [UInt32] = []
        var opaqueCount = 0
    }

    /// At most `count` colours (at least 1) for `tally`; opaque pixels get opaque ones.
    static func palette(of tally: ColorTally, count: Int) -> Palette {
        // A single colour must represent both groups.
        let isShared = count == 1 && !tally.translucent.isEmpty
        var groups =
            isShared ? [tally.opaque + tally.translucent] : [tally.opaque, tally.translucent]
        groups.removeAll(where: \.isEmpty)
        let ranges = boxes(&groups, count: count)
        var palette = Palette()
        for (cells, ranges) in zip(groups, ranges) {
            var places = ranges.map { mean(of: cells[$0]) }
            for _ in 0..<rounds { places = moved(places, cells) }
            palette.colors += snapped(places, cells)
            if cells.allSatisfy({ PaletteColor.alpha($0.favorite) == 255 }) {
                palette.opaqueCount = palette.colors.count
            }
        }
        return palette
    }

    /// The sum of the squared distances of all pixels to the colours that the cuts alone give.
    static func squaredError(of tally: ColorTally, count: Int) -> Double {
        var groups = [tally.opaque, tally.translucent].filter { !$0.isEmpty }
        let ranges = boxes(&groups, count: count)
        return zip(groups, ranges).reduce(0) { sum, group in
            let (cells, ranges) = group
            return ranges.reduce(sum) { sum, range in
                let mean = mean(of: cells[range])
                let (error, pixels) = cells[range].reduce((0.0, 0.0)) { sums, cell in
                    let distance = cell.mean - mean
                    let error = Double((distance * distance).sum() * cell.count)
                    return (sums.0 + error, sums.1 + Double(cell.count))
                }
                // The mean is that of the same pixels, so that their errors are too small.
                return sum + error * pixels / max(1, pixels - 1)
            }
        }
    }

    /// A run of cells of one group, and where to cut it.
    private struct Box {
        var group: Int
        var range: Range<Int>
        /// The lowest place on each axis, and the levels in one unit.
        var low = SIMD4<Float>(repeating: .infinity)
        var scale = SIMD4<Float>.zero
        var axis = 0
        /// Cells below this level of the axis go to one side.
        var level = 0
        /// How much the cut lowers the sum of squared errors.
        var gain = 0.0

        /// Finds the best cut from the sums of cells that lie on one level of an axis.
        init(_ group: Int, _ range: Range<Int>, _ cells: [ColorTally.Cell]) {
            (self.group, self.range) = (group, range)
            measure(cells[range])
            var sums = [SIMD4<Double>](repeating: .zero, count: 4 * PaletteCut.levels)
            var counts = [Double](repeating: 0, count: 4 * PaletteCut.levels)
            for cell in cells[range] {
                let (sum, levels) = (SIMD4<Double>(cell.sum), levels(of: cell))
                for axis in 0..<4 {
                    sums[axis * PaletteCut.levels + Int(levels[axis])] += sum
                    counts[axis * PaletteCut.levels + Int(levels[axis])] += Double(cell.count)
                }
            }
            for axis in 0..<4 {
                let bins = (axis * PaletteCut.levels)..<((axis + 1) * PaletteCut.levels)
                cut(on: axis, sums[bins], counts[bins])
            }
        }

        /// The level of a cell on each axis.
        func levels(of cell: ColorTally.Cell) -> SIMD4<Int32> {
            truncated((cell.mean - low) * scale).clamped(
                lowerBound: .zero, upperBound: SIMD4(repeating: Int32(PaletteCut.levels - 1)))
        }

        /// Fits the levels to the cells; an axis without differences has one level.
        private mutating func measure(_ cells: ArraySlice<ColorTally.Cell>) {
            var high = SIMD4<Float>(repeating: -.infinity)
            for cell in cells {
                low = pointwiseMin(low, cell.mean)
                high = pointwiseMax(high, cell.mean)
            }
            let extent = high - low
            scale =
                SIMD4(repeating: Float(PaletteCut.levels))
                / extent.replacing(with: .infinity, where: extent .<= 0.01)
        }

        /// Records the best cut between two levels of `axis`.
        private mutating func cut(
            on axis: Int, _ sums: ArraySlice<SIMD4<Double>>, _ counts: ArraySlice<Double>
        ) {
            let (total, pixels) = (sums.reduce(.zero, +), counts.reduce(0, +))
            var (below, count) = (SIMD4<Double>.zero, 0.0)
            for (level, (sum, here)) in zip(sums, counts).enumerated() {
                if count > 0, count < pixels {
                    // n1 n2 / n times the squared distance of the two means.
                    let step = below / count - (total - below) / (pixels - count)
                    let gain = (step * step).sum() * count * (pixels - count) / pixels
                    if gain > self.gain { (self.gain, self.axis, self.level) = (gain, axis, level) }
                }
                (below, count) = (below + sum, count + here)
            }
        }
    }

    /// Sorts the cells of each group into runs of like colours.
    private static func boxes(_ groups: inout [[ColorTally.Cell]], count: Int) -> [[Range<Int>]] {
        var boxes = groups.indices.map { Box($0, groups[$0].indices, groups[$0]) }
        while boxes.count < count,
            let best = boxes.indices.max(by: { boxes[$0].gain < boxes[$1].gain }),
            boxes[best].gain > 0
        {
            let box = boxes[best]
            let middle = groups[box.group][box.range].partition {
                Int(box.levels(of: $0)[box.axis]) >= box.level
            }
            boxes[best] = Box(box.group, box.range.lowerBound..<middle, groups[box.group])
            boxes.append(Box(box.group, middle..<box.range.upperBound, groups[box.group]))
        }
        return groups.indices.map { group in boxes.filter { $0.group == group }.map(\.range) }
    }

    private static func mean(of cells: ArraySlice<ColorTally.Cell>) -> SIMD4<Float> {
        mean(
            cells.reduce(SIMD4<Double>.zero) { $0 + SIMD4<Double>($1.sum) },
            cells.reduce(0) { $0 + Double($1.count) })
    }

    private static func mean(_ sum: SIMD4<Double>, _ count: Double) -> SIMD4<Float> {
        SIMD4<Float>(sum / count)
    }

    /// Moves each place to the mean of the cells that are nearest to it.
    private static func moved(
        _ places: [SIMD4<Float>], _ cells: [ColorTally.Cell]
    ) -> [SIMD4<Float>] {
        var nearest = NearestPlace(places)
        var sums = [SIMD4<Double>](repeating: .zero, count: places.count)
        var counts = [Double](repeating: 0, count: places.count)
        for cell in cells {
            let index = nearest.index(of: cell.mean)
            sums[index] += SIMD4<Double>(cell.sum)
            counts[index] += Double(cell.count)
        }
        return places.indices.map { counts[$0] > 0 ? mean(sums[$0], counts[$0]) : places[$0] }
    }

    /// Makes a colour exact if most of its pixels have the same colour.
    ///
    /// This keeps a white background white, although edges next to it are nearly white too.
    private static func snapped(
        _ places: [SIMD4<Float>], _ cells: [ColorTally.Cell]
    ) -> [UInt32] {
        var nearest = NearestPlace(places)
        var pixels = [Float](repeating: 0, count: places.count)
        var favorites = [(color: UInt32, votes: Float)](repeating: (0, 0), count: places.count)
        for cell in cells {
            let index = nearest.index(of: cell.mean)
            pixels[index] += cell.count
            if cell.votes > favorites[index].votes {
                favorites[index] = (cell.favorite, cell.votes)
            }
        }
        return places.indices.map { index in
            favorites[index].votes > pixels[index] / 2
                ? favorites[index].color : PaletteColor.pixel(at: places[index])
        }
    }
}
