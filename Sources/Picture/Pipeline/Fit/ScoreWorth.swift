import Glibc

/// The worth of scores to a search, in points.
///
/// A better score is worth an encode only if somebody sees it: 90 is visually lossless, so that the goal `balanced`
/// counts a point above it less and less, and none above 95. Art that fits without loss stays so with either goal.
struct ScoreWorth {
    /// The worth that must be expected for the CPU time of one plain lossy encode.
    let price: Double
    /// The worth of some scores; straight between them, and the score itself below the first.
    private let points: [(score: Double, worth: Double)]

    /// All points count alike.
    static let best = ScoreWorth(price: 0.08, points: [])
    /// Chosen on free artwork. A lossless file gains as many times what it gains in `best` as the price is higher, so
    /// that both goals look for it alike.
    static let balanced = ScoreWorth(
        price: 0.15, points: [(90, 90), (92.5, 91.9), (95, 92.5), (99.5, 92.5), (100, 105)])

    /// The worth of a score, 0-100.
    func of(_ score: Double) -> Double {
        guard let first = points.first, score > first.score else { return score }
        for (low, high) in zip(points, points.dropFirst()) where score <= high.score {
            let share = (score - low.score) / (high.score - low.score)
            return low.worth + share * (high.worth - low.worth)
        }
        return points.last?.worth ?? score
    }

    /// The expected worth of a file with a usual score.
    func of(_ usual: UsualScore) -> Double { usual.mean(of: of) }

    /// The expected gain over a file of score `known` by the better of it and a file with a usual score.
    func gain(of usual: UsualScore, over known: Double) -> Double {
        let worth = of(known)
        return usual.mean { max(0, of($0) - worth) }
    }

    /// Whether such a file, which fits with a probability of `chance` and takes the time of `cost` plain encodes, pays
    /// off if the best one so far has the score `known`.
    func pays(_ usual: UsualScore, over known: Double, chance: Double = 1, cost: Double) -> Bool {
        chance * gain(of: usual, over: known) > price * cost
    }
}

/// The scores of a kind of file as a normal distribution, cut at 100.
struct UsualScore {
    let mean, spread: Double

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
