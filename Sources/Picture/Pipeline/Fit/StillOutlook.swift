import Glibc
import StickerRaster

/// Decides which lossless forms of a still are worth an encode.
///
/// Sizes are predicted with their uncertainty, scores of a form are similar for all stills, and an encode has a price
/// in points: the next form is the one with the best expected result of the search, if that continues optimally. All
/// figures were measured on free artwork; see docs/benchmarks.md.
struct StillOutlook {
    /// The CPU time of a lossy file and its score, in plain encodes.
    static let lossyCost = 1.6
    /// The points that a lossy file loses with each of libwebp's quantizer indices, at most.
    private static let pointsOfIndex = 1.0
    /// An estimate above this multiple of the limit is trusted, unless parts repeat.
    private static let hopeless = 1.7
    /// A level that is expected to fit with this much to spare is encoded at once.
    private static let margin = 1.05
    /// Level 3 follows a lower one if it is expected to miss the limit by less: the shares of levels differ by 6 %.
    private static let marginOfLevel3 = 1.08

    private let bytesMax: Double
    private let worth: ScoreWorth
    private let estimate: [LosslessForm: Double]
    /// The bytes of level 0.
    private var quick: Double?
    /// The sizes of files that do not fit.
    private var missed: [LosslessForm: Double] = [:]
    /// Whether a palette holds all colours: then rounding saves nothing.
    let hasPalette: Bool
    /// The file that fits, and its size at level 3.
    private var found: (form: LosslessForm, bytes: Double)?

    init(
        bytesMax: Int, worth: ScoreWorth, _ estimate: LosslessEstimate, hasPalette: Bool = false
    ) {
        self.bytesMax = Double(bytesMax)
        self.worth = worth
        self.hasPalette = hasPalette
        let sizes = LosslessForm.allCases.map { ($0, Double(max(1, estimate.bytes($0.steps)))) }
        self.estimate = Dictionary(uniqueKeysWithValues: sizes)
    }

    /// The usual lowest score of a lossy file whose alpha plane is exact; below 90, so that `balanced` does not take it
    /// for good enough before it is known.
    static func lossyScoreMin(quality: Double) -> Double {
        let best = UsualScore.lossy.mean - 3 * UsualScore.lossy.spread
        return best - pointsOfIndex * QuantizerIndex.of(quality: quality)
    }

    /// Whether no exact file can fit, unless parts repeat.
    var isHopeless: Bool { estimated(.fast) >= bytesMax * Self.hopeless }

    /// Notes the size of a file of level 0 that does not fit.
    mutating func noteQuick(bytes: Int) { quick = Double(bytes) }

    /// Notes the size of a file that does not fit.
    mutating func noteMiss(_ form: LosslessForm, bytes: Int, level: Int = 3) {
        missed[form] = bytesAtLevel3(form, bytes, level)
    }

    /// Notes the size of a file that fits; from then on only closer forms count.
    mutating func noteFound(_ form: LosslessForm, bytes: Int, level: Int) {
        found = (form, bytesAtLevel3(form, bytes, level))
    }

    /// Files of one form are compared as level 3 writes them.
    private func bytesAtLevel3(_ form: LosslessForm, _ bytes: Int, _ level: Int) -> Double {
        Double(bytes) / form.share(level: level)
    }

    /// The next form, or `nil` if none is worthwhile any more.
    ///
    /// `score` is that of the best file so far, `nil` before there is one: then a lossy file follows, and forms with
    /// lower usual scores wait.
    func next(over score: Double?) -> LosslessForm? {
        let price = ScoreWorth.price
        var value = score ?? UsualScore.lossy.mean - price * Self.lossyCost
        var next: LosslessForm?
        let last = missed.keys.max()
        for form in LosslessForm.allCases.reversed() {
            // Forms closer to the picture than one that does not fit are larger.
            if let last, form <= last { break }
            if let found, form >= found.form { continue }
            if form.nearness != nil, hasPalette { continue }
            if score == nil, form.score.mean < UsualScore.lossy.mean { continue }
            let chance = chance(of: form)
            let reached = score.map { $0 + worth.gain(of: form.score, over: $0) } ?? form.score.mean
            let cost = price * form.cost(level: level(of: form))
            let trying = chance * reached + (1 - chance) * value - cost
            if trying > value { (value, next) = (trying, form) }
        }
        // Level 3 takes much longer than checking whether it is needed.
        return next == .thorough && missed[.fast] == nil ? .fast : next
    }

    /// The level at which a form is encoded first: higher ones write smaller files, of equal scores, in more time.
    func level(of form: LosslessForm) -> Int {
        if form == .fast { return 1 }
        let bytes = foretold(form).bytes * Self.margin
        let first = form.nearness == nil ? 2 : 1
        // How much level 2 writes differs from picture to picture, so that it follows a file that was seen.
        let hasRounded = found != nil || missed.keys.contains { $0 > .thorough }
        let last = form.nearness == nil || hasRounded ? 2 : 1
        return (first...last).first { bytes * form.share(level: $0) < bytesMax } ?? 3
    }

    /// The next level after one that wrote too many bytes; `nil` if level 3 cannot fit either.
    func level(after level: Int, of form: LosslessForm, bytes: Int) -> Int? {
        guard form != .fast, level < 3,
            bytesAtLevel3(form, bytes, level) < bytesMax * Self.marginOfLevel3
        else { return nil }
        return 3
    }

    /// The probability that a file of the form fits.
    private func chance(of form: LosslessForm) -> Double {
        let foretold = foretold(form)
        return Normal.share(below: log(bytesMax / foretold.bytes) / foretold.spread)
    }

    // MARK: Palettes

    /// The probability that a palette of 256 colours fits.
    var chanceOfPalette: Double {
        let size = 0.26 * log(estimated(.fast)) + 0.81 * log(estimated(.near40)) - 1.3
        return Normal.share(below: (log(bytesMax) - size) / 0.3)
    }

    /// The part of a palette's colours, for one of `bytes`, that fits with the probability of `chanceOfSmallerPalette`.
    /// Half as many take about a sixth less.
    func shareOfPalette(bytes: Int) -> Double {
        pow(bytesMax * 0.96 / Double(bytes), 1 / 0.26)
    }

    static let chanceOfSmallerPalette = 0.7

    // MARK: Sizes

    private func estimated(_ form: LosslessForm) -> Double { estimate[form] ?? 1 }

    /// Files of level 1 as a multiple of the estimate, and of level 0.
    private static let (fastOfEstimate, fastOfQuick) = (0.89, 0.77)

    /// The predicted size of a form, and the uncertainty of its logarithm.
    private func foretold(_ form: LosslessForm) -> (bytes: Double, spread: Double) {
        if let found { return foretold(form, from: found.form, found.bytes) }
        if let last = missed.keys.max(), .fast < last, last < form, let bytes = missed[last] {
            return foretold(form, from: last, bytes)
        }
        let guess = min(
            estimated(.fast) * Self.fastOfEstimate, (quick ?? .infinity) * Self.fastOfQuick)
        let fast = missed[.fast] ?? guess
        let doubt = missed[.fast] == nil ? 0.1 : 0
        switch form {
        case .fast: return (guess, 0.14)
        case .thorough: return (fast * 0.91, 0.06 + doubt)
        default:
            // The estimate shows how much rounding saves, level 1 how well this picture compresses.
            let mean = (fast * estimated(form)).squareRoot()
            return (form.shareOfMean * mean, form.spread + doubt / 3)
        }
    }

    /// The same, step by step from a form of known size.
    private func foretold(
        _ form: LosslessForm, from known: LosslessForm, _ bytes: Double
    ) -> (bytes: Double, spread: Double) {
        var (change, variance) = (0.0, 0.0)
        for coarser in LosslessForm.allCases where min(form, known) < coarser {
            guard coarser <= max(form, known) else { break }
            let step = coarser.step
            change += step.change
            variance += step.spread * step.spread
            if let closer = LosslessForm(rawValue: coarser.rawValue - 1) {
                change += step.follows * log(estimated(coarser) / estimated(closer))
            }
        }
        return (bytes * exp(form > known ? change : -change), variance.squareRoot())
    }
}

/// The normal distribution.
private enum Normal {
    /// The share of values that are less than `distance` standard deviations above the mean.
    static func share(below distance: Double) -> Double { erfc(-distance / 2.0.squareRoot()) / 2 }
}
