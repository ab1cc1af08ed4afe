/// Numbers with a median and a spread.
struct Figures {
    private let sorted: [Double]

    init(_ values: [Double]) { sorted = values.sorted() }

    var isEmpty: Bool { sorted.isEmpty }
    var count: Int { sorted.count }
    var mean: Double { sorted.isEmpty ? .nan : sorted.reduce(0, +) / Double(sorted.count) }
    var median: Double { percentile(50) }
    var max: Double { sorted.last ?? .nan }
    var min: Double { sorted.first ?? .nan }

    /// The median and, if there are several numbers, the lowest and the highest.
    var shownWithSpread: String {
        guard sorted.count > 1 else { return median.shown(2) }
        return "\(median.shown(2)) (\(min.shown(2))-\(max.shown(2)))"
    }

    /// Interpolated linearly between neighbours.
    func percentile(_ percent: Double) -> Double {
        guard let last = sorted.indices.last else { return .nan }
        let position = percent / 100 * Double(last)
        let lower = Int(position)
        let upper = Swift.min(lower + 1, last)
        return sorted[lower] + (sorted[upper] - sorted[lower]) * (position - Double(lower))
    }
}

extension Double {
    /// With this many decimals.
    func shown(_ decimals: Int) -> String {
        guard isFinite else { return "-" }
        var scale = 1.0
        for _ in 0..<decimals { scale *= 10 }
        let units = Int((magnitude * scale).rounded())
        let digits = String(units)
        let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
        let sign = self < 0 && units > 0 ? "-" : ""
        guard decimals > 0 else { return sign + padded }
        return sign + padded.dropLast(decimals) + "." + padded.suffix(decimals)
    }
}
