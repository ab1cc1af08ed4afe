import Glibc

/// For every target pixel of one axis: its source pixels and their weights.
///
/// Filter: Lanczos3, `sinc(x) sinc(x/3)` for |x| < 3, stretched when shrinking. Windows are cut at the edges and the
/// weights of each sum to 1, so flat areas stay flat.
struct FilterWeights {
    /// First source pixel of each target pixel.
    let starts: [Int]
    /// Number of source pixels of each target pixel.
    let counts: [Int]
    /// The start of each target pixel's weights in `weights`.
    let offsets: [Int]
    /// All weights, target by target.
    let weights: [Float]

    /// Creates weights that scale the first `extent` of the `source` pixels to the `target` ones.
    init(from source: Int, extent: Double, to target: Int) {
        precondition(source > 0 && target > 0 && extent > 0 && extent <= Double(source))
        var starts: [Int] = []
        var counts: [Int] = []
        var offsets: [Int] = []
        var weights: [Float] = []
        let scale = extent / Double(target)
        let stretch = max(scale, 1)
        for index in 0..<target {
            let center = (Double(index) + 0.5) * scale
            let window = Self.window(center: center, stretch: stretch, source: source)
            starts.append(window.start)
            counts.append(window.weights.count)
            offsets.append(weights.count)
            weights += window.weights
        }
        (self.starts, self.counts, self.offsets) = (starts, counts, offsets)
        self.weights = weights
    }

    /// The source pixels of target pixel `index`.
    func window(_ index: Int) -> Range<Int> { starts[index]..<(starts[index] + counts[index]) }

    /// The weight of the source pixel `tap` behind the first of target pixel `index`; 0 if it is not one of its own.
    func weight(_ index: Int, tap: Int) -> Float {
        tap >= 0 && tap < counts[index] ? weights[offsets[index] + tap] : 0
    }

    /// For each source pixel, a range that spans all its possible targets.
    func targets(sources: Int) -> [Range<Int>] {
        var ranges = [Range<Int>](repeating: 0..<0, count: sources)
        for index in starts.indices {
            for source in window(index) {
                let range = ranges[source]
                ranges[source] =
                    range.isEmpty
                    ? index..<(index + 1)
                    : min(range.lowerBound, index)..<max(range.upperBound, index + 1)
            }
        }
        return ranges
    }

    private static func window(
        center: Double, stretch: Double, source: Int
    ) -> (start: Int, weights: [Float]) {
        let radius = 3 * stretch
        var first = max(0, Int((center - radius + 0.5).rounded(.down)))
        let last = min(source - 1, Int((center + radius - 0.5).rounded(.up)))
        var values = (first...max(first, last)).map {
            lanczos3((Double($0) + 0.5 - center) / stretch)
        }
        let sum = values.reduce(0, +)
        while values.count > 1, abs(values[values.count - 1]) < abs(sum) * 1e-7 {
            values.removeLast()
        }
        let lead = values.prefix { abs($0) < abs(sum) * 1e-7 }.count
        if lead < values.count {
            values.removeFirst(lead)
            first += lead
        }
        let total = values.reduce(0, +)
        return (first, values.map { Float($0 / total) })
    }

    private static func lanczos3(_ x: Double) -> Double {
        if abs(x) < 1e-9 { return 1 }
        if abs(x) >= 3 { return 0 }
        let angle = Double.pi * x
        return 3 * sin(angle) * sin(angle / 3) / (angle * angle)
    }
}
