/// The averages of the maps of one channel at one scale; 0 means equal.
struct MapAverages {
    /// The mean of the structure map.
    var structure: Double
    /// The 4-norm of the structure map, in which the worst places weigh most.
    var structurePeak: Double
    /// The 4-norm of the artifact map.
    var artifactPeak: Double
    /// The 4-norm of the map of lost detail.
    var lostDetailPeak: Double

    /// The sum of each average times its weight.
    func weighted(by weights: MapAverages) -> Double {
        structure * weights.structure + structurePeak * weights.structurePeak
            + artifactPeak * weights.artifactPeak + lostDetailPeak * weights.lostDetailPeak
    }
}

/// Sums over the maps of a picture.
struct MapSums {
    private var structure = 0.0
    private var structure4 = 0.0
    private var artifact4 = 0.0
    private var lostDetail4 = 0.0

    mutating func add(_ row: RowSums) {
        structure += Double(row.structure.sum())
        structure4 += Double(row.structure4.sum())
        artifact4 += Double(row.artifact4.sum())
        lostDetail4 += Double(row.lostDetail4.sum())
    }

    func averages(over count: Int) -> MapAverages {
        let norm4 = { (sum: Double) in (sum / Double(count)).squareRoot().squareRoot() }
        return MapAverages(
            structure: structure / Double(count), structurePeak: norm4(structure4),
            artifactPeak: norm4(artifact4), lostDetailPeak: norm4(lostDetail4))
    }
}

/// Sums over the maps of a row.
struct RowSums {
    private(set) var structure = Lanes.zero
    private(set) var structure4 = Lanes.zero
    private(set) var artifact4 = Lanes.zero
    private(set) var lostDetail4 = Lanes.zero

    /// Adds eight samples.
    ///
    /// - Parameters:
    ///   - structure: of the structure map, at least 0.
    ///   - edge: of the artifact map if positive, of the map of lost detail if negative.
    @inline(__always)
    mutating func add(structure: Lanes, edge: Lanes) {
        self.structure += structure
        structure4 += fourthPower(structure)
        artifact4 += fourthPower(atLeast0(edge))
        lostDetail4 += fourthPower(atLeast0(-edge))
    }
}

@inline(__always)
private func fourthPower(_ value: Lanes) -> Lanes {
    // Powers of smaller values do not count, and slow the arithmetic down.
    let square = (value * value).replacing(with: 0, where: value .< 1e-8)
    return square * square
}
