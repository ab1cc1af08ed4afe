import Glibc

/// The worth of scores to a search, in points.
///
/// A better score is worth an encode only if somebody sees it: 90 is visually lossless, so that the goal `balanced` is
/// content with a file that reaches it, unless the picture may fit without any loss.
struct ScoreWorth {
    /// The points that must be expected for the CPU time of one plain lossy encode. Chosen on free artwork, between
    /// the prices of the table in docs/benchmarks.md.
    static let price = 0.25

    /// From this score on, only lossless files count.
    let enough: Double

    static let best = ScoreWorth(enough: 100)
    static let balanced = ScoreWorth(enough: 90)

    /// The expected gain over a file of score `known` by the better of it and a file with a usual score.
    func gain(of usual: UsualScore, over known: Double) -> Double {
        if known >= enough, !usual.isLossless { return 0 }
        return usual.mean { max(0, $0 - known) }
    }

    /// Whether such a file, which fits with a probability of `chance` and takes the time of `cost` plain encodes, pays
    /// off if the best one so far has the score `known`.
    func pays(_ usual: UsualScore, over known: Double, chance: Double = 1, cost: Double) -> Bool {
        chance * gain(of: usual, over: known) > Self.price * cost
    }
}

/// The scores of a kind of file as a normal distribution, cut at 100.
struct UsualScore {
    let mean, spread: Double

    var isLossless: Bool { mean == 100 }

    /// Lossy files at quality 100.
    static let lossy = UsualScore(mean: 93.2, spread: 1.5)

    /// Palettes of 256 colours with diffused errors, by `PixelBuffer.paletteError`.
    static func palette(error: Double) -> UsualScore {
        UsualScore(mean: 95.8 - 4.1 * error, spread: 2.3)
    }

    /// A palette of fewer colours, 0 to 1 times as many, than one with a known score.
    static func palette(of score: Double, share: Double) -> UsualScore {
        UsualScore(mean: score + 4.2 * log2(share), spread: 1.4)
    }

    /// The mean of a function of the score.
    func mean(of value: (Double) -> Double) -> Double {
        Self.distances.reduce(0) { sum, distance in
            sum + value(min(100, mean + spread * distance.place)) * distance.weight
        }
    }

    /// Places in standard deviations, and their weights.
    private static let distances: [(place: Double, weight: Double)] = {
        let places = (-12...12).map { Double($0) / 4 }
        let weights = places.map { exp(-$0 * $0 / 2) }
        let all = weights.reduce(0, +)
        return zip(places, weights).map { ($0, $1 / all) }
    }()
}
