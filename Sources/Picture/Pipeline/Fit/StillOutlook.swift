import Glibc
import StickerRaster

/// A form of lossless WebP, from the closest to the smallest.
enum LosslessForm: Int, CaseIterable, Comparable {
    /// Exact, at libwebp's levels 1 and 3.
    case fast, thorough
    /// `PixelBuffer.withCoarseRed`, at level 3.
    case coarseRed
    /// libwebp's `near_lossless` 80, 60, 40 and 20, at level 3.
    case near80, near60, near40, near20

    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// libwebp's `near_lossless`; `nil` for other forms.
    var nearness: Int? {
        switch self {
        case .fast, .thorough, .coarseRed: nil
        case .near80: 80
        case .near60: 60
        case .near40: 40
        case .near20: 20
        }
    }

    /// The usual score of files of the form.
    var score: UsualScore {
        switch self {
        case .fast, .thorough: UsualScore(mean: 100, spread: 0.01)
        case .coarseRed: UsualScore(mean: 97.7, spread: 0.8)
        case .near80: UsualScore(mean: 96.4, spread: 0.8)
        case .near60: UsualScore(mean: 95, spread: 1.1)
        case .near40: UsualScore(mean: 92.6, spread: 1.6)
        case .near20: UsualScore(mean: 89.2, spread: 2.6)
        }
    }

    /// The CPU time of an encode at libwebp's level 1, 2 or 3, in plain lossy encodes.
    func cost(level: Int) -> Double {
        let exact = [1, 1.9, 2.9][level - 1]
        return nearness == nil ? exact : exact + 2.1
    }
}

/// Decides which lossless forms of a still are worth an encode.
///
/// Sizes are predicted with their uncertainty, scores of a form are similar for all stills, and an encode has a price
/// in points: the next form is the one with the best expected result of the search, if that continues optimally. All
/// figures were measured on free artwork; see docs/benchmarks.md.
struct StillOutlook {
    /// The CPU time of a lossy file and its score, in plain encodes.
    static let lossyCost = 1.6
    /// The usual lowest score of a lossy file of quality 100.
    static let lossyScoreMin = UsualScore.lossy.mean - 2 * UsualScore.lossy.spread
    /// An estimate above this multiple of the limit is trusted, unless parts repeat.
    private static let hopeless = 1.7
    /// Repetition of at least this share may save more than any estimate says.
    private static let repeating = 0.1
    /// A level that is expected to fit with this much to spare is encoded at once; a higher one that misses the limit
    /// by less follows.
    private static let margin = 1.05

    private let bytesMax: Double
    private let worth: ScoreWorth
    private let repeated: Double
    private let estimates: [Double]
    /// The bytes of level 0.
    private var quick: Double?
    /// The sizes of files that do not fit.
    private var missed: [LosslessForm: Double] = [:]
    /// Whether near-lossless files differ from lossless ones, if known.
    private var isRounded = true
    /// Whether a near-lossless file was seen: at level 2, none of a lossless one is there to compare it with.
    private var hasRounded = false
    /// The file that fits, and its size at level 3.
    private var found: (form: LosslessForm, bytes: Double)?

    init(
        bytesMax: Int, worth: ScoreWorth, _ estimate: NearLosslessEstimate, repeated: Repetition
    ) {
        self.bytesMax = Double(bytesMax)
        self.worth = worth
        self.repeated = repeated.share
        estimates = estimate.bytes.map { max(1, Double($0)) }
    }

    /// Whether level 0, which takes a third of a plain encode, may fit, or tell whether other levels may.
    var mayBeQuick: Bool {
        estimates[0] < bytesMax * Self.hopeless || repeated > Self.repeating
    }

    /// Notes the size of a file of level 0 that does not fit.
    mutating func noteQuick(bytes: Int) { quick = Double(bytes) }

    /// Notes the size of a file that does not fit.
    mutating func noteMiss(_ form: LosslessForm, bytes: Int, level: Int = 3) {
        if form.nearness != nil { hasRounded = true }
        missed[form] = bytesAtLevel3(form, bytes, level)
    }

    /// Notes that rounding changes nothing: libwebp does not round colours of a palette.
    mutating func noteNoRounding() { isRounded = false }

    /// Notes the size of a file that fits; from then on only closer forms count.
    mutating func noteFound(_ form: LosslessForm, bytes: Int, level: Int) {
        if form.nearness != nil { hasRounded = true }
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
        var value = score.map(worth.of) ?? worth.of(.lossy) - worth.price * Self.lossyCost
        var next: LosslessForm?
        let last = missed.keys.max()
        for form in LosslessForm.allCases.reversed() {
            // Forms closer to the picture than one that does not fit are larger.
            if let last, form <= last { break }
            if let found, form >= found.form { continue }
            if form.nearness != nil, !isRounded { continue }
            if score == nil, form.score.mean < UsualScore.lossy.mean { continue }
            let chance = chance(of: form)
            let reached =
                score.map { worth.of($0) + worth.gain(of: form.score, over: $0) }
                ?? worth.of(form.score)
            let cost = worth.price * form.cost(level: level(of: form))
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
        let last = form.nearness == nil || hasRounded ? 2 : 1
        return (first...last).first { bytes * form.share(level: $0) < bytesMax } ?? 3
    }

    /// The next level after one that wrote too many bytes; `nil` if level 3 cannot fit either.
    func level(after level: Int, of form: LosslessForm, bytes: Int) -> Int? {
        guard form != .fast, level < 3,
            bytesAtLevel3(form, bytes, level) < bytesMax * Self.margin
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
        let size = 0.26 * log(estimates[0]) + 0.81 * log(estimates[3]) - 1.3
        return Normal.share(below: (log(bytesMax) - size) / 0.3)
    }

    /// The part of a palette's colours, for one of `bytes`, that fits with the probability of `chanceOfSmallerPalette`.
    /// Half as many take about a sixth less.
    func shareOfPalette(bytes: Int) -> Double {
        pow(bytesMax * 0.96 / Double(bytes), 1 / 0.26)
    }

    static let chanceOfSmallerPalette = 0.7

    // MARK: Sizes

    /// Files of level 1 as a multiple of the estimate, and of level 0.
    private static let (fastOfEstimate, fastOfQuick) = (0.89, 0.77)

    /// The predicted size of a form, and the uncertainty of its logarithm.
    private func foretold(_ form: LosslessForm) -> (bytes: Double, spread: Double) {
        if let found { return foretold(form, from: found.form, found.bytes) }
        if let last = missed.keys.max(), .fast < last, last < form, let bytes = missed[last] {
            return foretold(form, from: last, bytes)
        }
        let guess = min(estimates[0] * Self.fastOfEstimate, (quick ?? .infinity) * Self.fastOfQuick)
        let fast = missed[.fast] ?? guess
        let doubt = missed[.fast] == nil ? 0.1 : 0
        switch form {
        case .fast: return (guess, 0.12)
        case .thorough: return (fast * 0.93, 0.06 + doubt)
        case .coarseRed: return (fast * 0.885, 0.06 + doubt)
        // The estimate shows how much rounding saves, level 1 how well this picture compresses.
        case .near80: return (0.72 * (fast * estimates[1]).squareRoot(), 0.07 + doubt / 3)
        case .near60: return (0.68 * (fast * estimates[2]).squareRoot(), 0.08 + doubt / 3)
        case .near40: return (0.66 * (fast * estimates[3]).squareRoot(), 0.11 + doubt / 4)
        case .near20: return (0.66 * (fast * estimates[4]).squareRoot(), 0.13 + doubt / 4)
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
            if let rounding = coarser.rounding {
                change += step.follows * log(estimates[rounding] / estimates[rounding - 1])
            }
        }
        return (bytes * exp(form > known ? change : -change), variance.squareRoot())
    }
}

extension LosslessForm {
    /// The change of the logarithm of the size from the next closer form to this one.
    fileprivate struct Step {
        var change: Double
        /// The part of the estimated change that is true.
        var follows = 0.0
        var spread: Double
    }

    fileprivate var step: Step {
        switch self {
        case .fast: Step(change: 0, spread: 0)
        case .thorough: Step(change: -0.060, spread: 0.050)
        case .coarseRed: Step(change: -0.051, spread: 0.055)
        case .near80: Step(change: -0.175, spread: 0.055)
        case .near60: Step(change: -0.055, follows: 0.47, spread: 0.100)
        case .near40: Step(change: 0.004, follows: 0.62, spread: 0.055)
        case .near20: Step(change: -0.013, follows: 0.25, spread: 0.045)
        }
    }

    /// Its place among the estimates, if they cover the step to it.
    fileprivate var rounding: Int? {
        switch self {
        case .near60: 2
        case .near40: 3
        case .near20: 4
        default: nil
        }
    }

    /// A file of level 1, 2 or 3 as a multiple of that of level 3, which takes longer.
    fileprivate func share(level: Int) -> Double {
        let shares: [Double] =
            switch self {
            case .fast: [1, 1, 1]
            case .thorough, .coarseRed: [1.09, 1.025, 1]
            case .near80: [1.10, 1.045, 1]
            case .near60: [1.15, 1.08, 1]
            case .near40: [1.17, 1.09, 1]
            case .near20: [1.18, 1.09, 1]
            }
        return shares[level - 1]
    }
}

/// The normal distribution.
private enum Normal {
    /// The share of values that are less than `distance` standard deviations above the mean.
    static func share(below distance: Double) -> Double { erfc(-distance / 2.0.squareRoot()) / 2 }
}
