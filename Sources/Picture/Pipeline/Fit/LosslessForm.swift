import StickerRaster

/// A form of lossless WebP, from the closest to the smallest, with its usual figures: medians and standard deviations of
/// 64 free pictures near the limit. `stickerd-bench --forms` measures them.
enum LosslessForm: Int, CaseIterable, Comparable {
    /// Exact, at libwebp's level 1, and at level 2 or 3.
    case fast, thorough
    /// Rounded by `steps`.
    case near90, near85, near80, near70, near60, near50, near40

    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// How much is rounded. Red and blue cost fewer points of SSIMULACRA2 for the bytes saved than green does.
    var steps: ResidualSteps {
        ResidualSteps(green: figures.steps.green, others: figures.steps.others)
    }

    /// Its name in the manifest, on the scale of libwebp's `near_lossless`, where 80, 60 and 40 round alike; `nil` for
    /// exact forms.
    var nearness: Int? { figures.nearness }

    /// The usual score of files of the form.
    var score: UsualScore { UsualScore(mean: figures.score.mean, spread: figures.score.spread) }

    /// The size as a multiple of the geometric mean of its estimate and of level 1 without loss; near-lossless forms only.
    var shareOfMean: Double { figures.ofMean.share }

    /// The uncertainty of the logarithm of that size.
    var spread: Double { figures.ofMean.spread }

    /// The change of the logarithm of the size from the next closer form to this one, beside `follows` times the change
    /// of the estimate.
    var step: (change: Double, follows: Double, spread: Double) { figures.step }

    /// The CPU time of an encode at libwebp's level 1, 2 or 3, in plain lossy encodes.
    func cost(level: Int) -> Double {
        let exact = [1.2, 1.9, 3.1][level - 1]
        return nearness == nil ? exact : exact + 0.2
    }

    /// A file of level 1, 2 or 3 as a multiple of that of level 3, which takes longer.
    func share(level: Int) -> Double {
        [figures.levels.first, figures.levels.second, 1][level - 1]
    }

    private typealias Figures = (
        nearness: Int?, steps: (green: Int, others: Int), score: (mean: Double, spread: Double),
        ofMean: (share: Double, spread: Double),
        step: (change: Double, follows: Double, spread: Double),
        levels: (first: Double, second: Double)
    )

    private var figures: Figures {
        switch self {
        case .fast: (nil, (1, 1), (100, 0.01), (1, 0), (0, 0, 0), (1, 1))
        case .thorough: (nil, (1, 1), (100, 0.01), (1, 0), (-0.09, 0, 0.06), (1.095, 1.033))
        case .near90: (90, (1, 2), (97.9, 0.7), (0.79, 0.057), (-0.07, 0.34, 0.068), (1.1, 1.043))
        case .near85: (85, (1, 4), (97.1, 0.8), (0.795, 0.06), (-0.02, 0.22, 0.068), (1.12, 1.064))
        case .near80: (80, (2, 2), (96.6, 0.6), (0.74, 0.062), (-0.05, 0.2, 0.067), (1.115, 1.048))
        case .near70: (70, (2, 4), (96.1, 0.8), (0.74, 0.075), (0, 0.47, 0.071), (1.14, 1.072))
        case .near60: (60, (4, 4), (95, 1.3), (0.745, 0.1), (-0.03, 0.19, 0.043), (1.16, 1.087))
        case .near50: (50, (4, 8), (94.1, 1.4), (0.745, 0.1), (-0.01, 0.39, 0.03), (1.17, 1.098))
        case .near40: (40, (8, 8), (91.3, 3.8), (0.77, 0.12), (0, 0.22, 0.038), (1.18, 1.1))
        }
    }
}
