import StickerCodecs
import StickerValues

/// Finds the smallest animated WebP that reaches a score with every frame.
///
/// Samples of a few frames predict size and score at a quality; whole encodes only confirm them.
struct SmallestAnimationFit {
    private static let wholesMax = 4

    let source: any FrameSource
    /// The largest file allowed.
    let target: Int
    let qualityMin: Int
    /// The score to reach, 0-100.
    let scoreTarget: Double
    /// How often it is played; `nil` for as often as the source.
    let loopCount: Int?
    /// All attempts, in order.
    private(set) var attempts: [FitAttempt] = []

    init(
        source: any FrameSource, target: Int, qualityMin: Int, scoreTarget: Double,
        loopCount: Int? = nil
    ) {
        self.loopCount = loopCount
        self.source = source
        self.target = target
        self.qualityMin = qualityMin
        self.scoreTarget = scoreTarget
    }

    /// The smallest file, or `nil` if none reaches the score under the target.
    mutating func search(_ timeline: Timeline) throws(Refusal) -> FitAttempt? {
        let sample = AnimationSample(timeline)
        if sample.isWorthwhile { try source.keep(sample.sources) }
        try lossless(timeline, sample)
        try lossy(timeline, sample)
        return smallest
    }

    /// The smallest sufficient file so far.
    private var smallest: FitAttempt? {
        attempts.filter { $0.score ?? 0 >= scoreTarget && $0.bytes <= target }
            .min { $0.bytes < $1.bytes }
    }

    private mutating func lossless(
        _ timeline: Timeline, _ sample: AnimationSample
    ) throws(Refusal) {
        guard try sample.bytes(level: 1, of: source) <= target else { return }
        let file = try source.encode(timeline, level: 1, loopCount: loopCount)
        attempts.append(
            FitAttempt(
                .lossless, quality: 1, file, target: target, timeline: timeline, score: 100))
    }

    private mutating func lossy(
        _ timeline: Timeline, _ sample: AnimationSample
    ) throws(Refusal) {
        let qualities = Double(qualityMin)...100
        let search = ScoreSearch(target: scoreTarget, qualities: qualities)
        var foretold: [Double: Int] = [:]
        let animation = try LossyAnimation(timeline, of: source)
        guard animation.moves else { return }
        let runs = try sample.lossy(in: animation, of: source)
        let guess = try search.lowest { (quality) throws(Refusal) in
            let judged = try sample.judged(runs, quality: quality, of: source)
            foretold[quality] = judged.bytes
            return judged.score
        }
        guard let guess, foretold[guess] ?? 0 < smallest?.bytes ?? .max else { return }
        let whole = ScoreSearch(
            target: scoreTarget, qualities: qualities, probesMax: Self.wholesMax)
        _ = try whole.lowest(from: guess) { (quality) throws(Refusal) in
            let file = try animation.file(
                quality: quality, alphaQuality: 100, loopCount: loopCount ?? source.loopCount)
            let score = try source.score(of: file, timeline)
            attempts.append(
                FitAttempt(
                    .lossy, quality: quality, file, target: target, timeline: timeline,
                    score: score))
            // Good enough: another whole encode costs more than it saves.
            return score < scoreTarget ? score : nil
        }
    }
}

extension FrameSource {
    /// The similarity of `file` to the frames of `timeline`, 0-100: the mean of the first, the middle and the last.
    func score(of file: [UInt8], _ timeline: Timeline) throws(Refusal) -> Double {
        try Refusal.catching {
            var verification = Verification(encoding: Encoding(mode: .lossy), format: .webp)
            _ = try verification.play(file, timeline, self)
            return verification.score
        }
    }
}
